// HyperCLOVA X Vision 2: Qwen2.5-VL's vision tower and a text model (by default a HyperCLOVA X).
// Source: transformers, models/hyperclovax_vision_v2, conversion_mapping.py.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family qwen2_5_vl_vision;  // defined in qwen2_vl.cpp

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config");
  const Json type = vision.peek("model_type");
  // A config.json may give the tower the type of the whole model that it comes from, qwen2_5_vl.
  if (!type.is(Json::Type::string) || type.string() != "qwen2_5_vl") require_type(vision, "qwen2_5_vl_vision");
  b.tower(Tower::vision, "vision_model", [&] { nested(vision, b, "", qwen2_5_vl_vision); });
  const Expr features = vision.integer("out_hidden_size", 3584);
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "hyperclovax");
  b.tower(Tower::projector, "",
          [&] { linear(b, b.architecture().head == Head::none ? "projector" : "vision_projector", features, out.hidden, true); });
  out.language_model = "model.language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family hyperclovax_vision_v2{
    .model_type = "hyperclovax_vision_v2",
    .summary = "Vision-language model: HyperCLOVA X with Qwen2.5-VL's vision encoder.",
    .classes = {"HyperCLOVAXVisionV2", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
