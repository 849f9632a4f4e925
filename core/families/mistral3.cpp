// Mistral 3 and LightOnOCR: a vision tower, by default Pixtral's, with neighbouring patches merged and projected to the text model.
// Source: transformers, models/mistral3, lighton_ocr.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

BackboneOutput tower(Config c, Builder& b) { return pixtral_vision(c, b, 14); }
constexpr Family unnamed_tower{
    .backbone = tower,
};

/// Records the layers that merge the patches of a square and project them to the text model. `features`: the total width of the
/// concatenated layer outputs.
void projector(Config c, Builder& b, Text name, Expr width, Expr features, Expr out, bool bias) {
  const Expr joined = power(c.integer("spatial_merge_size", 2), 2) * width;
  b.tower(Tower::projector, name, [&] {
    rms_norm(b, "norm", width);
    linear(b, "patch_merger.merging_layer", joined, width);
    two_layers(b, features, out, out, bias);
  });
}

constexpr LlamaType unnamed_mistral{.sizes = {5120, 32768, 40, 131072, 32}, .kv_heads = fixed(8), .head_dim = fixed(128)};
constexpr Family unnamed_text{
    .backbone = of_type<unnamed_mistral>,
};

BackboneOutput mistral3_backbone(Config c, Builder& b) {
  const BackboneOutput images =
      vision_tower_or(c, b, "vision_tower", {"pixtral", "clip_vision_model", "siglip_vision_model", "siglip2_vision_model"}, unnamed_tower);
  const Expr features = feature_width(c, images.hidden);
  const bool bias = c.flag("multimodal_projector_bias", false);
  Config text = c.section("text_config");
  BackboneOutput out = is_given(c, "text_config") ? text_beside_vision(text, b, "language_model.model", "mistral")
                                                  : nested(text, b, "language_model.model", unnamed_text);
  projector(c, b, "multi_modal_projector", images.hidden, features, out.hidden, bias);
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

constexpr LlamaType unnamed_qwen3{.sizes = {1024, 3072, 28, 151936, 16},
                                  .kv_heads = fixed(8),
                                  .head_dim = fixed(128),
                                  .layout = {.attention = {.head_norms = QkNorm::per_head}}};
constexpr Family unnamed_ocr_text{
    .backbone = of_type<unnamed_qwen3>,
};

BackboneOutput lighton_backbone(Config c, Builder& b) {
  const BackboneOutput images = vision_tower_or(
      c, b, "vision_encoder", {"pixtral", "clip_vision_model", "siglip_vision_model", "siglip2_vision_model"}, unnamed_tower);
  Config text = c.section("text_config");
  BackboneOutput out = is_given(c, "text_config") ? text_beside_vision(text, b, "language_model", "qwen3")
                                                  : nested(text, b, "language_model", unnamed_ocr_text);
  projector(c, b, "vision_projection", images.hidden, images.hidden, out.hidden, false);
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family mistral3{
    .model_type = "mistral3",
    .summary = "Vision-language model: Mistral with Pixtral's vision encoder.",
    .classes = {"Mistral3", heads::conditional | heads::base, ""},
    .backbone = mistral3_backbone,
    .cache = caches::of_text_model,
};
extern const Family lighton_ocr{
    .model_type = "lighton_ocr",
    .summary = "Document OCR: Qwen3 with Pixtral's vision encoder.",
    .classes = {"LightOnOcr", heads::conditional | heads::base},
    .backbone = lighton_backbone,
};

}  // namespace param_ledger
