// Doge: like Llama, with QK-Norm, an attention mask that is computed from the values (A, dt_proj), and learned weights on the residual
// stream. With is_moe, each feed-forward block also has experts of a single neuron, which are selected by product keys. Source:
// transformers, models/doge.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

void mask_and_residuals(Builder& b, const LlamaDecoder& m) {
  const Attention& a = m.attention;
  b.scope(Part::attention, "self_attn", [&] {
    b.parameter("A", {a.kv_heads});
    linear(b, "dt_proj", a.kv_heads * a.head_dim, a.kv_heads, a.qkv_bias);
  });
  b.part(Part::attention, [&] { b.parameter("input_residual", {a.hidden}); });
  b.part(Part::feed_forward, [&] { b.parameter("post_attention_residual", {a.hidden}); });
}

constexpr LlamaType type{.sizes = {1024, 2048, 32, 32768, 8},
                         .head_dim = attribute,
                         .switches = both_biases,
                         .layout = {.attention = {.head_norms = QkNorm::per_head}, .more = mask_and_residuals}};

/// The number of keys for each half of an expert's index: ⌊√n⌋.
Count root(Count n) {
  Count out = 0;
  for (Count step = Count{1} << 32U; step > 0; step /= 2)
    if ((out + step) * (out + step) <= n) out += step;
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const LlamaDecoder m = llama_type_fields(c, type);
  const bool has_experts = c.flag("is_moe", false);
  const Expr d = m.attention.hidden, n_experts = c.integer("num_experts", 16384), n_active = c.integer("num_experts_per_tok", 64);
  return decoder(b, m.vocabulary, d, [&] {
    llama_layers(b, m);
    if (!has_experts) return;
    require_positive(n_experts, Refused::no_experts);
    const Expr keys =
        c.count("num_keys", "K", "Keys for each half of an expert's index: the square root of num_experts.", root(n_experts.decide()));
    b.repeat("layers", all(m.n_layers), [&] {
      b.scope("mlp", [&] {
        b.part(Part::router, [&] { linear(b, "router_gate", d, 2 * keys); });
        b.part(Part::feed_forward, [&] {
          b.expert_parameter("down_embed.weight", {n_experts, d}, {n_experts, n_active});
          b.expert_parameter("up_embed.weight", {n_experts, d}, {n_experts, n_active});
        });
      });
    });
  });
}

}  // namespace

extern const Family doge{
    .model_type = "doge",
    .summary = "Like Llama, with QK-Norm, dynamic mask attention and an optional mixture of tiny experts.",
    .classes = {"Doge", heads::decoder | heads::sequence},
    .backbone = backbone,
    .cache = caches::windowed(),
};

}  // namespace param_ledger
