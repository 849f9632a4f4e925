// GLM-4.5: as DeepSeek-V3's mixture of experts, with grouped-query attention.
// Source: transformers, models/glm4_moe.

#include "core/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 10944, 46, 151552, 96});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  const bool bias = c.flag("attention_bias", false), head_norms = c.flag("use_qk_norm", false);
  const Mixture m = mixture_fields(c, s.d, {.count = 128, .active = 8, .inner = 1408, .shared = 1}, {.correction = Correction::buffer});
  return sparse_decoder(b, {s, {.layers = dense_first(s.n_layers, c.integer("first_k_dense_replace", 1)), .mixture = m, .dense = s.f}},
                        Attention{.hidden = s.d,
                                  .heads = s.n,
                                  .kv_heads = n_kv,
                                  .head_dim = h,
                                  .qkv_bias = bias,
                                  .head_norms = head_norms ? HeadNorms::per_head : HeadNorms::none});
}

}  // namespace

extern const Family glm4_moe{
    .model_type = "glm4_moe",
    .summary = "Grouped-query attention; dense first layers, then routed and shared experts.",
    .classes = {"Glm4Moe", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::appended_with_tables, .field = "num_nextn_predict_layers"},
    .peft = PeftExperts::converted,
};

}  // namespace param_ledger
