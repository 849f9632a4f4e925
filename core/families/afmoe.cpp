// Trinity (AFMoE): norms before and after each block and on heads, a gate on attention's output; dense first layers, then experts.
// Source: transformers, models/afmoe.

#include "core/families.hpp"
#include "core/sparse_decoders.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 6144, 32, 200192, 16});
  const Expr n_kv = c.integer("num_key_value_heads", s.n), h = c.integer("head_dim", 128);
  const bool bias = c.flag("attention_bias", false);
  const Mixture m = mixture_fields(
      c, s.d, {.count = 64, .active = 6, .inner = 1408, .shared = 2, .count_field = "num_experts", .shared_field = "num_shared_experts"},
      {.router = "router.gate", .correction = Correction::parameter, .correction_name = "expert_bias"});
  return sparse_decoder(b,
                        {.sizes = s,
                         .feed_forward = {.layers = dense_first(c, s.n_layers, 1, "num_dense_layers"), .mixture = m, .dense = s.f},
                         .norms = {"input_layernorm", "post_attention_layernorm", "pre_mlp_layernorm", "post_mlp_layernorm"}},
                        Attention{.hidden = s.d,
                                  .heads = s.n,
                                  .kv_heads = n_kv,
                                  .head_dim = h,
                                  .qkv_bias = bias,
                                  .output_bias = bias,
                                  .head_norms = HeadNorms::per_head,
                                  .gate = "gate_proj"});
}

}  // namespace

const Family afmoe{"afmoe",
                   "Gated attention with four norms a layer; dense first layers, then routed and shared experts.",
                   {"Afmoe", heads::decoder},
                   {},
                   backbone};

}  // namespace param_ledger
