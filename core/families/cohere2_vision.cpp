// Command A Vision: by default SigLIP's vision transformer and Cohere 2. Neighbouring patches are concatenated, and a gated projection maps
// them to the text model. Aya Vision adds a norm before the projection and uses LLaVA's module names. Source: transformers,
// models/cohere2_vision, aya_vision.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

constexpr std::initializer_list<Text> towers = {"siglip_vision_model", "siglip2_vision_model", "clip_vision_model", "pixtral"};

BackboneOutput tower(Config c, Builder& b) {
  const VisionLayers m = siglip_encoder(c, b, {1152, 3072, 27, 12, 512, 16});
  layer_norm(b, "post_layernorm", m.attention.hidden);
  attention_pool(b, "head", m);
  return {.hidden = m.attention.hidden};
}
constexpr Family unnamed{
    .backbone = tower,
};

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput images = vision_tower_or(c, b, "vision_tower", towers, unnamed);
  const Expr joined = power(c.integer("downsample_factor", 2), 2) * images.hidden;
  const Expr inner = c.integer("alignment_intermediate_size", 36864);
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "cohere2");
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", joined, inner, true);
    linear(b, "linear_2", floor_divide(inner, c.literal(2)), out.hidden, true);
  });
  out.tie_by_default = true;
  return out;
}

/// Records Aya Vision. Throws if vision_config is missing: transformers refuses the default tower, because the number of its heads does not
/// divide its width.
BackboneOutput aya_backbone(Config c, Builder& b) {
  if (!is_given(c, "vision_config"))
    c.refuse(ErrorCode::missing_field, "vision_config",
             "must be given: in the default tower, the number of heads does not divide the hidden size.");
  const Expr seen = vision_tower(c.section("vision_config"), b, "vision_tower", towers).hidden;
  const Expr joined = power(c.integer("downsample_factor", 2), 2) * seen;
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model.model", "cohere2");
  const Expr inner = c.integer("alignment_intermediate_size", attribute.or_else(out.hidden));
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    layer_norm(b, "layernorm", joined);
    linear(b, "linear_1", joined, inner, true);
    linear(b, "linear_2", floor_divide(inner, c.literal(2)), out.hidden, true);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family aya_vision{
    .model_type = "aya_vision",
    .summary = "Vision-language model: Cohere 2 or another language model with SigLIP.",
    .classes = {"AyaVision", heads::conditional | heads::base, ""},
    .backbone = aya_backbone,
    .cache = caches::of_text_model,
};
extern const Family cohere2_vision{
    .model_type = "cohere2_vision",
    .summary = "Vision-language model: Cohere 2 with SigLIP.",
    .classes = {"Cohere2Vision", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
