// Fuyu: a text model (by default Persimmon) with a projection of image patches to tokens.
// Source: transformers, models/fuyu; names as in conversion_mapping.py.

#include "core/nn/layers.hpp"
#include "core/nn/nested.hpp"

namespace param_ledger {

extern const Family persimmon;  // defined in persimmon.cpp

namespace {

constexpr Architecture classes[] = {{"FuyuForCausalLM", Head::causal_lm, ""}, {"FuyuModel", Head::none, ""}};

BackboneOutput backbone(Config c, Builder& b) {
  // The first configurations have no text_config. Their text model's fields are at the top level.
  const Json section = c.peek("text_config");
  const bool flat = !section || section.is_null();
  BackboneOutput out = flat ? nested(c, b, "language_model.model", persimmon)
                            : nested_auto(c.section("text_config"), b, "language_model.model", persimmon.model_type);
  const Expr patch = power(c.integer("patch_size", 30), 2) * c.integer("num_channels", 3);
  b.tower(Tower::vision, "", [&] { linear(b, "vision_embed_tokens", patch, out.hidden, true); });
  out.tie_by_default = false;
  out.language_model = "language_model.lm_head";
  return out;
}

}  // namespace

extern const Family fuyu{
    .model_type = "fuyu",
    .summary = "Vision-language model: Persimmon with linearly projected image patches instead of a vision encoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .cache = caches::of_text_model,
};

}  // namespace param_ledger
