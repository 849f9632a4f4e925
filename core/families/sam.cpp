// SAM and SAM-HQ: an image is encoded once, and then masks are predicted from points, boxes or rough masks. Source: transformers,
// models/sam, sam_hq.

#include "core/nn/vision/sam.hpp"

namespace param_ledger {

namespace {

BackboneOutput vision_backbone(Config c, Builder& b) {
  Expr out;
  b.scope("vision_encoder", [&] { out = sam_vision(c, b, true); });
  return {.hidden = out};
}

template <Sam kind>
BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config");
  const Expr positions = vision.integer("num_pos_feats", 128), two = c.literal(2);
  const bool tied = c.flag("tie_word_embeddings", true);
  for (const Text part : {"vision_config", "prompt_encoder_config", "mask_decoder_config"}) c.section(part).consume("model_type");
  Tensor shared;
  b.part(Part::embedding, [&] {
    shared = b.parameter("shared_image_embedding.positional_embedding", {two, positions}, StorageKind::table);
  });
  b.tower(Tower::vision, "", [&] { vision_backbone(vision, b); });
  sam_prompts(c.section("prompt_encoder_config"), b, "prompt_encoder", kind);
  b.scope(Part::embedding, "prompt_encoder.shared_embedding", [&] {
    if (tied)
      b.tied("positional_embedding", shared);
    else
      b.parameter("positional_embedding", {two, positions}, StorageKind::table);
  });
  sam_masks(c.section("mask_decoder_config"), b, "mask_decoder", kind);
  return {};
}

}  // namespace

extern const Family sam{
    .model_type = "sam",
    .summary = "Promptable segmentation by points, boxes and masks.",
    .classes = {"Sam", heads::base, ""},
    .backbone = backbone<Sam::first>,
};
extern const Family sam_hq{
    .model_type = "sam_hq",
    .summary = "Like SAM, with higher-quality masks.",
    .classes = {"SamHQ", heads::base, ""},
    .backbone = backbone<Sam::high_quality>,
};
extern const Family sam_vision_model{
    .model_type = "sam_vision_model",
    .summary = "Vision encoder of SAM.",
    .classes = {"SamVision", heads::base, ""},
    .backbone = vision_backbone,
};
extern const Family sam_hq_vision_model{
    .model_type = "sam_hq_vision_model",
    .summary = "Vision encoder of SAM-HQ.",
    .classes = {"SamHQVision", heads::base, ""},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
