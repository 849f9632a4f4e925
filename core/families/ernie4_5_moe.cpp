// ERNIE 4.5 with experts: like ERNIE 4.5, but every moe_layer_interval-th layer from moe_layer_start_index to moe_layer_end_index has a
// mixture of experts. Source: transformers, models/ernie4_5_moe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "moe_num_experts"}, {"num_experts_per_tok", "moe_k"}};

Split mixture_layers(Config c, Expr n_layers) {
  if (n_layers.decide() == 0) return {};
  const Count start = c.integer("moe_layer_start_index", 1).decide(),
              end = c.integer("moe_layer_end_index", unless_minus_one.or_else(n_layers - 1)).decide(),
              interval = c.integer("moe_layer_interval", 1, 1).decide();
  return split(c, n_layers, "num_sparse_layers", "L_e", "Mixture-of-experts layers, as given by moe_layer_start_index and related fields.",
               [=](std::uint64_t i) { return i >= start && i <= end && (i + 1) % interval == 0; });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2560, 12288, 28, 103424, 20});
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  const bool bias = c.flag("use_bias", false, Null::allowed);
  const Expr n_shared = c.integer("moe_num_shared_experts", 2);
  Mixture m = mixture_fields(
      c, s.d, {.count = 64, .active = 6, .inner = 1536, .count_field = "moe_num_experts", .active_field = "moe_k"},
      {.correction = RouterBias::parameter_row, .correction_name = "moe_statics.e_score_correction_bias", .shared_bias = bias});
  m.shared_count = n_shared;
  if (!is_zero(n_shared)) m.shared = m.inner * n_shared;
  const Split layers = mixture_layers(c, s.n_layers);
  BackboneOutput out =
      sparse_decoder(b, {s, {.layers = layers, .mixture = m, .dense = s.f, .dense_bias = bias}},
                     Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
  out.tie_by_default = true;
  out.language_model_bias = bias;
  return out;
}

}  // namespace

extern const Family ernie4_5_moe{
    .model_type = "ernie4_5_moe",
    .summary = "Like ERNIE 4.5, with a mixture of experts and shared experts after the first layer.",
    .classes = {"Ernie4_5_Moe", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::unknown},
    .peft = PeftExperts::converted,
};

}  // namespace param_ledger
