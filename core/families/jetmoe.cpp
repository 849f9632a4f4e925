// JetMoE: mixtures of experts in feed-forward blocks and in attention. Each attention expert has its own query and output projections; keys
// and values are shared.
// Source: transformers, models/jetmoe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"head_dim", "kv_channels"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048), f = c.integer("intermediate_size", 5632);
  const Expr n_layers = c.integer("num_hidden_layers", 12), vocab = c.integer("vocab_size", 32000);
  const Expr n_kv = c.integer("num_key_value_heads", 16), h = c.integer("kv_channels", 128);
  const Mixture experts = mixture_fields(c, d, {.count = 8, .active = 2, .count_field = "num_local_experts"}, granite_experts(f));
  if (less(experts.count, experts.active)) c.refuse(ErrorCode::inconsistent, "num_experts_per_tok", "must not exceed num_local_experts.");
  Mixture heads = experts;
  heads.inner = n_kv * h;
  heads.gate = "";
  heads.up = "input_linear.weight";

  BackboneOutput out = decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      b.scope(Part::attention, "self_attention", [&] {
        mixture(b, "experts", heads);
        b.parameter("experts.bias", {d});
        linear(b, "kv_proj", d, 2 * heads.inner);
      });
      rms_norm(b, "post_attention_layernorm", d);
      mixture(b, "mlp", experts);
      b.part(Part::feed_forward, [&] { b.parameter("mlp.bias", {d}); });
    });
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family jetmoe{
    .model_type = "jetmoe",
    .summary = "Mixture of experts in both attention and MLP.",
    .classes = {"JetMoe", heads::causal_lm | heads::base | heads::sequence},
    .aliases = aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
