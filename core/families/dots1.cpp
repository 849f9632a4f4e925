// dots.llm1: like DeepSeek-V3, with multi-head or grouped-query attention and QK-Norm instead of latent attention.
// Source: transformers, models/dots1.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4608, 10944, 62, 152064, 32});
  const Attention a = attention_fields(c, s, fixed_not_null(32), attribute, {.head_norms = QkNorm::per_head});
  const Expr n_experts = c.integer("n_routed_experts", required(128)), n_shared = c.integer("n_shared_experts", required(2));
  const Expr f_expert = c.integer("moe_intermediate_size", 1408);
  const Mixture m{.hidden = s.d,
                  .count = n_experts,
                  .active = c.optional_integer("num_experts_per_tok").value_or(Expr{}),
                  .inner = f_expert,
                  .correction = RouterBias::buffer,
                  .shared = f_expert * n_shared,
                  .shared_count = n_shared};
  const Split layers = dense_first(s.n_layers, c.integer("first_k_dense_replace", 0));
  return sparse_decoder(b, {s, {.layers = layers, .mixture = m, .dense = s.f}}, a);
}

}  // namespace

extern const Family dots1{
    .model_type = "dots1",
    .summary = "QK-Norm; mixture of experts with shared experts after any dense layers.",
    .classes = {"Dots1", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .peft = PeftExperts::converted,
};

}  // namespace param_ledger
