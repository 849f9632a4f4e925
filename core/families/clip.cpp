// CLIP: a vision transformer and a text transformer, projected to one space to compare images with texts.
// Source: transformers, models/clip.

#include "core/blocks/vision.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"

namespace param_ledger {

extern const Family clip_text_model, clip_vision_model;

namespace {

constexpr VisionDefaults text_sizes{512, 2048, 12, 8}, vision_sizes{768, 3072, 12, 12, 224, 32};

Backbone vision_backbone(Config c, Builder& b) { return clip_vision(c, b, vision_sizes); }

Backbone text_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 49408), positions = c.integer("max_position_embeddings", 77);
  const VisionLayers m = vision_fields(c, text_sizes);
  const Expr d = m.attention.hidden;
  require_multiple(d, m.attention.heads);
  b.scope("embeddings", [&] {
    embedding(b, "token_embedding", vocab, d);
    embedding(b, "position_embedding", positions, d);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "final_layer_norm", d);
  return {.hidden = d};
}

/// A section, or what old files hold beside it, which counts then.
Config section_or_old(Config c, Text section, Text old) {
  const Json given = c.peek(old);
  return given && !given.is_null() ? c.section(old) : c.section(section);
}

Backbone backbone(Config c, Builder& b) {
  Config text = section_or_old(c, "text_config", "text_config_dict");
  Config vision = section_or_old(c, "vision_config", "vision_config_dict");
  Backbone out;
  if (b.architecture().head == Head::none) {
    const Expr shared = c.integer("projection_dim", 512);
    const Backbone words = nested(text, b, "text_model", clip_text_model);
    b.tower(Part::vision, "vision_model", [&] { out = nested(vision, b, "", clip_vision_model); });
    b.part(Part::projector, [&] {
      linear(b, "visual_projection", out.hidden, shared);
      linear(b, "text_projection", words.hidden, shared);
      b.parameter("logit_scale", {});
    });
  } else {
    b.tower(Part::vision, "vision_model", [&] { out = nested(vision, b, "", clip_vision_model); });
  }
  return out;
}

constexpr Architecture classes[] = {{"CLIPModel", Head::none, ""}, {"CLIPForImageClassification", Head::image_classification, ""}};
constexpr Architecture text_classes[] = {{"CLIPTextModel", Head::none, ""}};
constexpr Architecture vision_classes[] = {{"CLIPVisionModel", Head::none, ""}};

}  // namespace

extern const Family clip{
    .model_type = "clip",
    .summary = "Vision and text transformers that compare images with texts.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = vision_head,
};
extern const Family clip_text_model{
    .model_type = "clip_text_model",
    .summary = "The text transformer of CLIP.",
    .classes = {.listed = text_classes},
    .backbone = text_backbone,
};
extern const Family clip_vision_model{
    .model_type = "clip_vision_model",
    .summary = "The vision transformer of CLIP.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
