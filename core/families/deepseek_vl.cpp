// DeepSeek-VL: SigLIP's vision transformer and a Llama, with an aligner between.
// Source: transformers, models/deepseek_vl.

#include "core/blocks/vision.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const Backbone tower = vision_tower(c.section("vision_config"), b, "vision_model",
                                      {"siglip_vision_model", "siglip2_vision_model", "clip_vision_model", "pixtral"});
  Backbone out = text_beside_vision(c.section("text_config"), b, "language_model", "llama");
  b.scope(Part::projector, "aligner", [&] {
    linear(b, "linear1", tower.hidden, out.hidden, true);
    linear(b, "linear2", out.hidden, out.hidden, true);
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family deepseek_vl{
    .model_type = "deepseek_vl",
    .summary = "A Llama with SigLIP's vision tower.",
    .classes = {"DeepseekVL", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
