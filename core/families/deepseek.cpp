// The first DeepSeekMoE: like Llama, with routed and, if n_shared_experts is given, shared experts in all layers that are not dense.
// Source: modeling_deepseek.py and configuration_deepseek.py as published with deepseek-moe-16b. transformers has no model type for it.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 30, 102400, 32});
  const Attention a = attention_fields(c, s, fixed_not_null(32), absent);
  const Expr n_experts = c.integer("n_routed_experts", required(64)), f_expert = c.integer("moe_intermediate_size", 1407);
  const std::optional<Expr> n_shared = c.optional_integer("n_shared_experts");
  Mixture m{.hidden = s.d, .count = n_experts, .active = c.optional_integer("num_experts_per_tok").value_or(Expr{}), .inner = f_expert};
  if (n_shared) {
    m.shared = f_expert * *n_shared;
    m.shared_count = *n_shared;
  }
  const Split layers = stepped_sparse_layers(c, s.n_layers, c.integer("first_k_dense_replace", 0));
  return sparse_decoder(b, {s, {.layers = layers, .mixture = m, .dense = s.f}}, a);
}

}  // namespace

extern const Family deepseek{
    .model_type = "deepseek",
    .summary = "DeepSeekMoE: like Llama, with a mixture of experts and shared experts after the dense layers.",
    .classes = {"Deepseek", heads::decoder | heads::sequence},
    .aliases = {},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
