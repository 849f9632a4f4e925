// Idefics 3 and SmolVLM: SigLIP's vision transformer, with neighbouring patches concatenated and projected to the text model.
// Source: transformers, models/idefics3, smolvlm.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

BackboneOutput vision_backbone(Config c, Builder& b) {
  const BackboneOutput out{.hidden = siglip_encoder(c, b, {1152, 3072, 12, 16, 224, 32}).attention.hidden};
  layer_norm(b, "post_layernorm", out.hidden);
  return out;
}
constexpr Family vision_model{
    .backbone = vision_backbone,
};

BackboneOutput backbone(Config c, Builder& b) {
  BackboneOutput tower;
  b.tower(Tower::vision, "vision_model", [&] { tower = nested(c.section("vision_config"), b, "", vision_model); });
  const Expr joined = power(c.integer("scale_factor", 2, 1), 2) * tower.hidden;
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "text_model", "llama");
  b.tower(Tower::projector, "", [&] { linear(b, "connector.modality_projection.proj", joined, out.hidden); });
  out.tie_by_default = false;
  return out;
}

constexpr Architecture vision_classes[] = {{"Idefics3VisionTransformer", Head::none, ""}};
constexpr Architecture smolvlm_vision_classes[] = {{"SmolVLMVisionTransformer", Head::none, ""}};
constexpr unsigned classes = heads::conditional | heads::base;

}  // namespace

extern const Family idefics3{
    .model_type = "idefics3",
    .summary = "Vision-language model: any language model with SigLIP and pixel shuffle.",
    .classes = {"Idefics3", classes},
    .backbone = backbone,
};
extern const Family idefics3_vision{
    .model_type = "idefics3_vision",
    .summary = "Vision encoder of Idefics3.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
};
extern const Family smolvlm{
    .model_type = "smolvlm",
    .summary = "Small vision-language model for images and video, like Idefics3.",
    .classes = {"SmolVLM", classes},
    .backbone = backbone,
};
extern const Family smolvlm_vision{
    .model_type = "smolvlm_vision",
    .summary = "Vision encoder of SmolVLM.",
    .classes = {.listed = smolvlm_vision_classes},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
