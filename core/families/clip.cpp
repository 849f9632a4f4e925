// CLIP: a vision transformer and a text transformer, projected to one space to compare images with texts; and those that differ in the
// text transformer alone.
// Source: transformers, models/clip, metaclip_2, chinese_clip, altclip.

#include "core/blocks/clip.hpp"

#include "core/blocks/encoder.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"

namespace param_ledger {

extern const Family clip_text_model, clip_vision_model;

namespace {

constexpr ClipType type;

Backbone vision_backbone(Config c, Builder& b) { return clip_vision(c, b, type.vision); }

Backbone text_backbone(Config c, Builder& b) { return clip_text(c, b, type); }

/// The class for images alone has but the vision transformer.
Backbone backbone(Config c, Builder& b) {
  if (b.architecture().head == Head::none) return {.hidden = clip_model(c, b, type).vision};
  Config vision = section_or_old(c, "vision_config", "vision_config_dict");
  Backbone out;
  b.tower(Part::vision, "vision_model", [&] { out = nested(vision, b, "", clip_vision_model); });
  return out;
}

/// Chinese CLIP and AltCLIP read by BERT's layers, the latter with a norm and a projection of its own after them.
constexpr BertType chinese_text{.sizes = {768, 3072, 12, 30522, 12}, .pooler = Pooler::none};
constexpr ClipType alt_type{.layers = "layer"};  // as transformers writes them
constexpr BertType alt_text{.sizes = {1024, 4096, 24, 250002, 16}, .positions = 514, .token_types = 1, .pooler = Pooler::none};

template <const BertType& words, bool alt>
Backbone bert_beside(Config c, Builder& b) {
  Config text = section_or_old(c, "text_config", "text_config_dict"), vision = section_or_old(c, "vision_config", "vision_config_dict");
  text.consume("model_type");
  Backbone seen;
  Expr read;
  b.scope("text_model", [&] {
    b.scope(alt ? "roberta" : "", [&] { read = bert_backbone(text, b, words).hidden; });
    require_multiple(read, text.integer("num_attention_heads", words.sizes.heads));
    if (!alt) return;
    const Expr width = text.integer("project_dim", 768);
    b.part(Part::projector, [&] {
      layer_norm(b, "pre_LN", read);
      linear(b, "transformation", read, width, true);
    });
    read = width;
  });
  vision.consume("model_type");
  b.tower(Part::vision, "vision_model", [&] { seen = clip_tower(vision, b, alt ? alt_type : type); });
  clip_projections(c, b, seen.hidden, read, alt ? 768 : 512);
  return seen;
}

constexpr Architecture alt_classes[] = {{"AltCLIPModel", Head::none, ""}};
constexpr Architecture chinese_classes[] = {{"ChineseCLIPModel", Head::none, ""}};
constexpr Architecture chinese_vision_classes[] = {{"ChineseCLIPVisionModel", Head::none, ""}};
constexpr Architecture classes[] = {{"CLIPModel", Head::none, ""}, {"CLIPForImageClassification", Head::image_classification, ""}};
constexpr Architecture text_classes[] = {{"CLIPTextModel", Head::none, ""}};
constexpr Architecture vision_classes[] = {{"CLIPVisionModel", Head::none, ""}};

}  // namespace

extern const Family altclip{
    .model_type = "altclip",
    .summary = "As CLIP, with RoBERTa's layers for texts in many languages.",
    .classes = {.listed = alt_classes},
    .backbone = bert_beside<alt_text, true>,
};
extern const Family chinese_clip{
    .model_type = "chinese_clip",
    .summary = "As CLIP, with BERT's layers for texts in Chinese.",
    .classes = {.listed = chinese_classes},
    .backbone = bert_beside<chinese_text, false>,
};
extern const Family chinese_clip_vision_model{
    .model_type = "chinese_clip_vision_model",
    .summary = "The vision transformer of Chinese CLIP.",
    .classes = {.listed = chinese_vision_classes},
    .backbone = vision_backbone,
};
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
extern const Family metaclip_2{
    .model_type = "metaclip_2",
    .summary = "As CLIP, for many languages.",
    .classes = {"MetaClip2", heads::base | heads::image, ""},
    .backbone = backbone,
    .head = vision_head,
};

}  // namespace param_ledger
