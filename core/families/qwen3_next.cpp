// Qwen3-Next and Qwen3.5, text: gated delta nets, and every few layers attention whose output is gated; feed-forward blocks
// as Qwen3's or, with a shared expert, as Qwen3-MoE's.
// Source: transformers, models/qwen3_next, qwen3_5, qwen3_5_moe.

#include "core/blocks/state_space.hpp"
#include "core/decoders.hpp"
#include "core/families.hpp"
#include "core/layer_kinds.hpp"

namespace param_ledger {

namespace {

/// The decoder of these types: `feed_forward` records the blocks of all layers.
template <class FeedForward>
Backbone hybrid(Config c, Builder& b, const DecoderSizes& s, std::uint64_t kv_heads, bool fused, const FeedForward& feed_forward) {
  const Expr n_kv = c.integer("num_key_value_heads", kv_heads), h = c.integer("head_dim", 256);
  const bool bias = c.flag("attention_bias", false);
  GatedDelta delta = gated_delta_fields(c, s.d);
  delta.fused = fused;
  const Expr interval = c.integer("full_attention_interval", 4, 1);
  const Split layers = linear_layers(c, s.n_layers, [&](std::uint64_t i) { return (i + 1) % interval.value() == 0; });

  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "input_layernorm", s.d); });
    b.repeat("layers", layers.in, [&] { gated_delta(b, "linear_attn", delta); });
    b.repeat("layers", layers.out, [&] {
      attention(b, "self_attn",
                {.hidden = s.d,
                 .heads = s.n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = bias,
                 .output_bias = bias,
                 .head_norms = HeadNorms::per_head,
                 .output_gate = true});
    });
    b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "post_attention_layernorm", s.d); });
    feed_forward();
  });
}

Mixture experts(Config c, Expr d, std::uint64_t count, std::uint64_t active) {
  const Expr n_experts = c.integer("num_experts", count), n_active = c.integer("num_experts_per_tok", active);
  const Expr f_expert = c.integer("moe_intermediate_size", 512), f_shared = c.integer("shared_expert_intermediate_size", 512);
  return {.hidden = d,
          .count = n_experts,
          .active = n_active,
          .inner = f_expert,
          .shared = f_shared,
          .shared_name = "shared_expert",
          .shared_gate = "shared_expert_gate"};
}

Backbone next(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 5632, 48, 151936, 16});
  const Mixture moe = experts(c, s.d, 512, 10);
  const Split sparse = sparse_layers(c, s.n_layers);
  return hybrid(c, b, s, 2, true, [&] {
    b.repeat("layers", sparse.out, [&] { gated_mlp(b, "mlp", s.d, s.f); });
    b.repeat("layers", sparse.in, [&] { mixture(b, "mlp", moe); });
  });
}

Backbone dense(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 12288, 32, 248320, 16});
  return hybrid(c, b, s, 4, false, [&] { b.repeat("layers", all(s.n_layers), [&] { gated_mlp(b, "mlp", s.d, s.f); }); });
}

Backbone sparse(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048), n_layers = c.integer("num_hidden_layers", 40), vocab = c.integer("vocab_size", 248320);
  const Expr n = c.integer("num_attention_heads", 16, 1);
  const Mixture moe = experts(c, d, 256, 8);
  return hybrid(c, b, {d, {}, n_layers, vocab, n}, 2, false, [&] { b.repeat("layers", all(n_layers), [&] { mixture(b, "mlp", moe); }); });
}

constexpr Architecture dense_classes[] = {
    {"Qwen3_5ForCausalLM", Head::causal_lm, "model"},
    {"Qwen3_5TextModel", Head::none, ""},
    {"Qwen3_5TextForSequenceClassification", Head::sequence_classification, "model"},
};
constexpr Architecture sparse_classes[] = {
    {"Qwen3_5MoeForCausalLM", Head::causal_lm, "model"},
    {"Qwen3_5MoeTextModel", Head::none, ""},
};

}  // namespace

const Family qwen3_next{"qwen3_next",
                        "Gated delta nets and gated attention in turn; a mixture of experts with a shared one.",
                        {"Qwen3Next", heads::all, "model", "transformer"},
                        {},
                        next};
const Family qwen3_5_text{"qwen3_5_text", "As Qwen3-Next, with dense feed-forward blocks.", {.listed = dense_classes}, {}, dense};
const Family qwen3_5_moe_text{"qwen3_5_moe_text", "As Qwen3-Next, with experts in every layer.", {.listed = sparse_classes}, {}, sparse};

}  // namespace param_ledger
