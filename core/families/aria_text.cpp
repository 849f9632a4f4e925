// Aria's text model: as Llama, with a mixture in each layer, whose experts are stacked the other way round, and shared ones.
// Source: transformers, models/aria.

#include "core/families.hpp"
#include "core/sparse_decoders.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 4096, 32, 32000, 32});
  const Expr n_kv = c.integer("num_key_value_heads", s.n), h = c.integer("head_dim", floor_divide(s.d, s.n));
  const bool bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Mixture m = mixture_fields(c, s.d,
                                   {.count = 8,
                                    .active = 2,
                                    .shared = 2,
                                    .count_field = "moe_num_experts",
                                    .active_field = "moe_topk",
                                    .shared_field = "moe_num_shared_experts"},
                                   {.inner = s.f,
                                    .layout = ExpertLayout::stacked_transposed,
                                    .down = "fc2.weight",
                                    .gate_up = "fc1.weight",
                                    .router = "router",
                                    .shared_bias = mlp_bias});
  require_multiple(s.d, s.n);
  return sparse_decoder(b, {s, {.layers = {all(s.n_layers), {}}, .mixture = m}},
                        Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
}

}  // namespace

const Family aria_text{"aria_text", "As Llama, with routed and shared experts in each layer.", {"AriaText", heads::decoder}, {}, backbone};

}  // namespace param_ledger
