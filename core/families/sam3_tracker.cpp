// SAM 3's tracker: like SAM 2, it segments objects marked by points or boxes and tracks them through a video. Also the model that contains
// both the detector and the tracker. Source: transformers, models/sam3_tracker, sam3_tracker_video, sam3_video.

#include "core/nn/nested.hpp"
#include "core/nn/vision/sam.hpp"
#include "core/nn/vision/sam3.hpp"

namespace param_ledger {

extern const Family sam3, sam3_vit_model;

namespace {

/// Records the tracker with the tensor names of its files. `sees`: whether to include the vision tower.
void tracker(Config c, Builder& b, bool video, bool sees) {
  Config seen = c.section("vision_config"), prompts = c.section("prompt_encoder_config"), masks = c.section("mask_decoder_config");
  require_type(seen, "sam3_vision_model");
  prompts.consume("model_type");
  masks.consume("model_type");
  const Expr d = seen.integer("fpn_hidden_size", 256);
  b.scope("tracker_model", [&] {
    if (sees)
      b.tower(Tower::vision, "", [&] { sam3_vision(seen, b, sam3_vit_model, "detector_model.vision_encoder.backbone", "tracker_neck"); });
    b.part(Part::embedding, [&] {
      if (!video) tokens(b, "no_memory_embedding", 1, d);
      b.buffer("shared_image_embedding.positional_embedding",
               {c.literal(2), floor_divide(prompts.integer("hidden_size", 256), c.literal(2))});
    });
    sam_prompts(prompts, b, "prompt_encoder", Sam::second);
    sam_masks(masks, b, "mask_decoder", Sam::second);
    if (video) sam_memory(c, b, d, false);
  });
}

template <bool video>
BackboneOutput tracker_backbone(Config c, Builder& b) {
  const Json inside = c.peek("tracker_config");
  if (inside && !inside.is_null()) c.refuse(ErrorCode::unsupported, "tracker_config", "belongs to another type. Paste it separately.");
  tracker(c, b, video, true);
  return {};
}

BackboneOutput video_backbone(Config c, Builder& b) {
  Config detector = c.section("detector_config"), follower = c.section("tracker_config");
  require_type(detector, "sam3");
  require_type(follower, "sam3_tracker_video");
  if (b.architecture().head == Head::other) {
    tracker(follower, b, false, true);
    return {};
  }
  b.scope("detector_model", [&] { sam3.backbone(detector, b); });
  b.scope("tracker_model", [&] { tracker(follower, b, true, false); });
  Config seen = detector.section("vision_config");
  sam3_neck(seen, b, "tracker_neck", seen.section("backbone_config").integer("hidden_size", 1024));
  return {};
}

/// The class that contains only the tracker, for images.
constexpr Architecture tracker_alone[] = {{"Sam3TrackerModel", Head::other, ""}};

}  // namespace

extern const Family sam3_tracker{
    .model_type = "sam3_tracker",
    .summary = "Promptable image segmentation by points and boxes: SAM 3 with SAM 2's interface.",
    .classes = {"Sam3Tracker", heads::base, ""},
    .backbone = tracker_backbone<false>,
};
extern const Family sam3_tracker_video{
    .model_type = "sam3_tracker_video",
    .summary = "Promptable video segmentation and tracking: SAM 3's tracker with a memory bank.",
    .classes = {"Sam3TrackerVideo", heads::base, ""},
    .backbone = tracker_backbone<true>,
};
extern const Family sam3_video{
    .model_type = "sam3_video",
    .summary = "Open-vocabulary video segmentation: SAM 3's detector and tracker.",
    .classes = {"Sam3Video", heads::base, "", {}, tracker_alone},
    .backbone = video_backbone,
};

}  // namespace param_ledger
