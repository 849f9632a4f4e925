// Command A Vision: SigLIP's vision transformer, whose neighbouring patches are joined and projected, one half gating the other, into
// the tokens of a Cohere 2.
// Source: transformers, models/cohere2_vision.

#include "core/blocks/vision.hpp"
#include "core/nested.hpp"

namespace param_ledger {

namespace {

Backbone tower(Config c, Builder& b) {
  const VisionLayers m = siglip_encoder(c, b, {1152, 3072, 27, 12, 512, 16});
  layer_norm(b, "post_layernorm", m.attention.hidden);
  attention_pool(b, "head", m);
  return {.hidden = m.attention.hidden};
}
constexpr Family unnamed{
    .backbone = tower,
};

Backbone backbone(Config c, Builder& b) {
  const Backbone images =
      vision_tower_or(c, b, "vision_tower", {"siglip_vision_model", "siglip2_vision_model", "clip_vision_model", "pixtral"}, unnamed);
  const Expr joined = power(c.integer("downsample_factor", 2), 2) * images.hidden;
  const Expr inner = c.integer("alignment_intermediate_size", 36864);
  Backbone out = text_beside_vision(c.section("text_config"), b, "language_model", "cohere2");
  b.scope(Part::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", joined, inner, true);
    linear(b, "linear_2", floor_divide(inner, c.literal(2)), out.hidden, true);
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family cohere2_vision{
    .model_type = "cohere2_vision",
    .summary = "Cohere 2 with SigLIP's vision tower.",
    .classes = {"Cohere2Vision", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
