// The safety checker of Stable Diffusion: CLIP's vision transformer, and embeddings of concepts, with which generated images are compared.

#include "core/nn/layers.hpp"
#include "core/nn/nested.hpp"

namespace param_ledger {

extern const Family clip_vision_model;  // defined in clip.cpp

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  c.ignore("text_config", "The text model of CLIP is not part of the safety checker.");
  Config vision = c.section("vision_config");
  vision.consume("model_type");
  const Expr shared = c.integer("projection_dim", 512), concepts = c.literal(17), special = c.literal(3);
  Expr d;
  b.tower(Tower::vision, "", [&] { d = nested(vision, b, "vision_model", clip_vision_model).hidden; });
  b.tower(Tower::projector, "", [&] {
    linear(b, "visual_projection", d, shared);
    b.parameter("concept_embeds", {concepts, shared}, StorageKind::table);
    b.parameter("special_care_embeds", {special, shared}, StorageKind::table);
    b.parameter("concept_embeds_weights", {concepts});
    b.parameter("special_care_embeds_weights", {special});
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"StableDiffusionSafetyChecker", Head::none, ""}};

}  // namespace

extern const Family stable_diffusion_safety_checker{
    .model_type = "stable_diffusion_safety_checker",
    .summary = "NSFW image detection: CLIP's ViT and concept embeddings.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
