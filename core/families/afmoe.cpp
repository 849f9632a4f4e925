// Trinity (AFMoE): norms before and after each block, QK-Norm, and a gated attention output. The first num_dense_layers layers have a dense
// feed-forward block, the others a mixture of experts.
// Source: transformers, models/afmoe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 6144, 32, 200192, 16});
  const Attention a = attention_fields(c, s, Default{}, fixed(128), {.head_norms = QkNorm::per_head, .gate = "gate_proj"});
  const Mixture m = mixture_fields(
      c, s.d, {.count = 64, .active = 6, .inner = 1408, .shared = 2, .count_field = "num_experts", .shared_field = "num_shared_experts"},
      {.router = "router.gate", .correction = RouterBias::parameter, .correction_name = "expert_bias"});
  return sparse_decoder(b,
                        {.sizes = s,
                         .feed_forward = {.layers = dense_first(s.n_layers, c.integer("num_dense_layers", 1)), .mixture = m, .dense = s.f},
                         .norms = {"input_layernorm", "post_attention_layernorm", "pre_mlp_layernorm", "post_mlp_layernorm"}},
                        a);
}

}  // namespace

extern const Family afmoe{
    .model_type = "afmoe",
    .summary = "Gated attention, pre- and post-norms; mixture of experts with shared experts after the dense layers.",
    .classes = {"Afmoe", heads::decoder},
    .backbone = backbone,
    .cache = caches::every(1024, 4, "global_attn_every_n_layers"),
};

}  // namespace param_ledger
