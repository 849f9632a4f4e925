// K-EXAONE: QK-Norm, no biases, and mixtures of routed and shared experts, with a correction bias in the router, in all layers that are not
// dense.
// Source: transformers, models/exaone_moe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 16384, 32, 102400, 32});
  const Expr n_kv = c.integer("num_key_value_heads", 32), h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  const Mixture m = mixture_fields(
      c, s.d, {.count = 64, .active = 8, .inner = 1024, .shared = 1, .count_field = "num_experts", .shared_field = "num_shared_experts"},
      {.correction = RouterBias::buffer, .correction_name = "e_score_correction_bias"});
  const Split layers = listed_sparse_layers(c, s.n_layers, c.integer("first_k_dense_replace", 1));
  return sparse_decoder(b, {s, {.layers = layers, .mixture = m, .dense = s.f}},
                        Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .head_norms = QkNorm::per_head});
}

}  // namespace

extern const Family exaone_moe{
    .model_type = "exaone_moe",
    .summary = "QK-Norm; mixture of experts with shared experts after the dense layers.",
    .classes = {"ExaoneMoe", heads::decoder},
    .backbone = backbone,
    .cache = caches::every(4096, 4, "sliding_window_pattern"),
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
