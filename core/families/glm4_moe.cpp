// GLM-4.5: like DeepSeek-V3, with grouped-query attention instead of MLA. GLM-4.5V also has a vision tower.
// Source: transformers, models/glm4_moe, glm4v_moe.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

extern const Family glm4v_vision;  // defined in glm4v.cpp

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};

BackboneOutput decoder_of(Config c, Builder& b, const DecoderDefaults& defaults, bool bias, QkNorm head_norms,
                          ExpertLayout layout = ExpertLayout::one_by_one) {
  const DecoderSizes s = decoder_sizes(c, defaults);
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n)));
  const Mixture m =
      mixture_fields(c, s.d, {.count = 128, .active = 8, .inner = 1408, .shared = 1}, {.layout = layout, .correction = RouterBias::buffer});
  return sparse_decoder(
      b, {s, {.layers = dense_first(s.n_layers, c.integer("first_k_dense_replace", 1)), .mixture = m, .dense = s.f}},
      Attention{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .head_norms = head_norms});
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool bias = c.flag("attention_bias", false), head_norms = c.flag("use_qk_norm", false);
  return decoder_of(c, b, {4096, 10944, 46, 151552, 96}, bias, head_norms ? QkNorm::per_head : QkNorm::none);
}

template <ExpertLayout layout>
BackboneOutput text_backbone(Config c, Builder& b) {
  return decoder_of(c, b, {4096, 10944, 46, 151424, 96}, c.flag("attention_bias", true), QkNorm::none, layout);
}
/// The text model inside GLM-4.5V. Files of the whole model store each expert separately, and files of the text model alone store the
/// experts stacked.
constexpr Family text_of_whole{
    .aliases = aliases,
    .backbone = text_backbone<ExpertLayout::one_by_one>,
    .cache = caches::all_tokens,
    .peft = PeftExperts::converted,
};

BackboneOutput vision_backbone(Config c, Builder& b) {
  b.tower(Tower::vision, "visual", [&] { nested(c.section("vision_config"), b, "", glm4v_vision); });
  return nested(c.section("text_config"), b, "language_model", text_of_whole);
}

constexpr Architecture text_classes[] = {{"Glm4vMoeTextModel", Head::none, ""}};

}  // namespace

extern const Family glm4_moe{
    .model_type = "glm4_moe",
    .summary = "Grouped-query attention; mixture of experts with shared experts after the dense layers.",
    .classes = {"Glm4Moe", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::appended_with_tables, .field = "num_nextn_predict_layers"},
    .peft = PeftExperts::converted,
};

extern const Family glm4v_moe{
    .model_type = "glm4v_moe",
    .summary = "Vision-language model: GLM-4.5 with a vision encoder.",
    .classes = {"Glm4vMoe", heads::conditional | heads::base},
    .backbone = vision_backbone,
    .head = outer_language_model_head,
};
extern const Family glm4v_moe_text{
    .model_type = "glm4v_moe_text",
    .summary = "Text model of GLM-4.5V: like GLM-4.5, with QKV biases.",
    .classes = {.listed = text_classes},
    .aliases = aliases,
    .backbone = text_backbone<ExpertLayout::stacked>,
    .cache = caches::all_tokens,
    .peft = PeftExperts::converted,
};

}  // namespace param_ledger
