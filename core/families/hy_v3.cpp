// Hunyuan 3: QK-Norm; by default a dense first layer, then mixtures of routed and shared experts with a correction bias in the router.
// Source: transformers, models/hy_v3.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "num_experts"}};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 13312, 80, 120832, 64});
  const Attention a = attention_fields(c, s, fixed(8), fixed(128), {.head_norms = QkNorm::per_head});
  const bool mlp_bias = c.flag("mlp_bias", false);
  Mixture m = mixture_fields(
      c, s.d, {.count = 192, .active = 8, .inner = 1536, .shared = 1, .count_field = "num_experts", .shared_field = "num_shared_experts"},
      {.router = "router.gate",
       .correction = RouterBias::buffer,
       .correction_name = "expert_bias",
       .shared_name = "shared_mlp",
       .shared_bias = mlp_bias});
  if (is_zero(m.shared)) m.shared = s.f;  // transformers replaces a shared width of 0 by intermediate_size
  return sparse_decoder(
      b, {s, {.layers = listed_sparse_layers(c, s.n_layers, c.literal(1)), .mixture = m, .dense = s.f, .dense_bias = mlp_bias}}, a);
}

}  // namespace

extern const Family hy_v3{
    .model_type = "hy_v3",
    .summary = "QK-Norm; mixture of experts with shared experts after a dense layer.",
    .classes = {"HYV3", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
