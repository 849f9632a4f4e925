// EXAONE 4.5: EXAONE 4 with Qwen2.5-VL's vision tower, which here has the field num_key_value_heads.
// Source: transformers, models/exaone4_5.

#include "core/nn/nested.hpp"
#include "core/nn/vision/qwen_vision.hpp"

namespace param_ledger {

extern const Family exaone4;  // defined in exaone4.cpp
extern const Family exaone4_5_vision;

namespace {

/// Records the model. The first published files gave the text model the type exaone4_5_text, which transformers reads as exaone4.
BackboneOutput backbone(Config c, Builder& b) {
  b.tower(Tower::vision, "visual", [&] { nested(c.section("vision_config"), b, "", exaone4_5_vision); });
  Config text = c.section("text_config");
  const Json type = text.peek("model_type");
  const bool old = type.is(Json::Type::string) && type.string() == "exaone4_5_text";
  BackboneOutput out = old ? nested(text, b, "language_model", exaone4) : text_beside_vision(text, b, "language_model", "exaone4");
  out.tie_by_default = false;  // untied by default, regardless of the text model's default
  return out;
}

BackboneOutput vision(Config c, Builder& b) { return qwen2_5_vision(c, b, true); }

constexpr Architecture vision_classes[] = {{"Exaone4_5_VisionModel", Head::none, ""}};

}  // namespace

extern const Family exaone4_5{
    .model_type = "exaone4_5",
    .summary = "Vision-language model: EXAONE 4 with a vision encoder.",
    .classes = {"Exaone4_5_", heads::conditional | heads::base},
    .backbone = backbone,
    .predicts = {.place = PredictionLayers::Place::apart, .field = "num_nextn_predict_layers", .section = "text_config"},
};
extern const Family exaone4_5_vision{
    .model_type = "exaone4_5_vision",
    .summary = "Vision encoder of EXAONE 4.5.",
    .classes = {.listed = vision_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision,
};

}  // namespace param_ledger
