// CLIP: a vision transformer and a text transformer. The outputs of both are projected to one space, where images and texts are compared.
// Also MetaCLIP 2, which has CLIP's tensors, and Chinese CLIP and AltCLIP, which read text with BERT's layers. Source: transformers,
// models/clip, metaclip_2, chinese_clip, altclip.

#include "core/nn/vision/clip.hpp"

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

extern const Family clip_text_model, clip_vision_model;

namespace {

constexpr ClipType type;

BackboneOutput vision_backbone(Config c, Builder& b) { return clip_vision(c, b, type.vision); }

/// Records the model. The class for image classification has only the vision transformer.
BackboneOutput backbone(Config c, Builder& b) {
  if (b.architecture().head == Head::none) return {.hidden = clip_model(c, b, type).vision};
  Config vision = section_or_legacy(c, "vision_config", "vision_config_dict");
  BackboneOutput out;
  b.tower(Tower::vision, "vision_model", [&] { out = nested(vision, b, "", clip_vision_model); });
  return out;
}

/// The text encoder inside ChineseCLIPModel: a BERT without a pooler.
constexpr BertType chinese_text{.sizes = {768, 3072, 12, 30522, 12}, .pooler = Pooler::none};
constexpr ClipType alt_type{.layers = "layer"};  // the module with the layers, as AltCLIP's files name it
constexpr BertType alt_text{.sizes = {1024, 4096, 24, 250002, 16}, .positions = 514, .token_types = 1, .pooler = Pooler::none};

/// Records AltCLIP's text encoder, which projects its output to the width project_dim.
template <const BertType& words>
BackboneOutput alt_reader(Config c, Builder& b) {
  Expr read;
  b.scope("roberta", [&] { read = bert_backbone(c, b, words).hidden; });
  require_multiple(read, c.integer("num_attention_heads", words.sizes.heads));
  const Expr width = c.integer("project_dim", 768);
  b.tower(Tower::projector, "", [&] {
    layer_norm(b, "pre_LN", read);
    linear(b, "transformation", read, width, true);
  });
  return {.hidden = width};
}

template <const BertType& words>
BackboneOutput chinese_reader(Config c, Builder& b) {
  const BackboneOutput out = bert_backbone(c, b, words);
  require_multiple(out.hidden, c.integer("num_attention_heads", words.sizes.heads));
  return out;
}

template <const BertType& words, bool alt>
BackboneOutput bert_beside(Config c, Builder& b) {
  Config text = section_or_legacy(c, "text_config", "text_config_dict"),
         vision = section_or_legacy(c, "vision_config", "vision_config_dict");
  text.consume("model_type");
  BackboneOutput seen;
  Expr read;
  b.scope("text_model", [&] { read = (alt ? alt_reader<words> : chinese_reader<words>)(text, b).hidden; });
  vision.consume("model_type");
  b.tower(Tower::vision, "vision_model", [&] { seen = clip_tower(vision, b, alt ? alt_type : type); });
  clip_projections(c, b, seen.hidden, read, alt ? 768 : 512);
  return seen;
}

constexpr BertType chinese_pooled{.sizes = chinese_text.sizes, .pooler = Pooler::everywhere};

constexpr Architecture alt_classes[] = {{"AltCLIPModel", Head::none, ""}};
constexpr Architecture chinese_classes[] = {{"ChineseCLIPModel", Head::none, ""}};
constexpr Architecture chinese_vision_classes[] = {{"ChineseCLIPVisionModel", Head::none, ""}};
constexpr Architecture classes[] = {{"CLIPModel", Head::none, ""}, {"CLIPForImageClassification", Head::image_classification, ""}};
constexpr Architecture text_classes[] = {{"CLIPTextModel", Head::none, ""}, {"CLIPTextModelWithProjection", Head::other, "text_model"}};
constexpr Architecture vision_classes[] = {{"CLIPVisionModel", Head::none, ""},
                                           {"CLIPVisionModelWithProjection", Head::other, "vision_model"}};

constexpr Architecture metaclip_text[] = {{"MetaClip2TextModel", Head::none, ""},
                                          {"MetaClip2TextModelWithProjection", Head::other, "text_model"}};
constexpr Architecture metaclip_vision[] = {{"MetaClip2VisionModel", Head::none, ""},
                                            {"MetaClip2VisionModelWithProjection", Head::other, "vision_model"}};

/// Records the projection of a class that has only one of the two transformers (…ModelWithProjection).
template <bool sees>
void projection(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return;
  const Expr shared = c.integer("projection_dim", type.shared);
  b.tower(Tower::projector, "", [&] { linear(b, sees ? "visual_projection" : "text_projection", m.hidden, shared); });
}

}  // namespace

extern const Family altclip{
    .model_type = "altclip",
    .summary = "Like CLIP, with XLM-RoBERTa as the text encoder.",
    .classes = {.listed = alt_classes},
    .backbone = bert_beside<alt_text, true>,
};
extern const Family chinese_clip{
    .model_type = "chinese_clip",
    .summary = "Like CLIP, with a Chinese BERT as the text encoder.",
    .classes = {.listed = chinese_classes},
    .backbone = bert_beside<chinese_text, false>,
};
extern const Family chinese_clip_vision_model{
    .model_type = "chinese_clip_vision_model",
    .summary = "Vision encoder of Chinese-CLIP.",
    .classes = {.listed = chinese_vision_classes},
    .backbone = vision_backbone,
};
extern const Family clip{
    .model_type = "clip",
    .summary = "Contrastive image-text model: a ViT and a text transformer.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = vision_head,
};
extern const Family clip_text_model{
    .model_type = "clip_text_model",
    .summary = "Text encoder of CLIP.",
    .classes = {.listed = text_classes},
    .backbone = clip_text_of_type<type>,
    .head = projection<false>,
};
extern const Family clip_vision_model{
    .model_type = "clip_vision_model",
    .summary = "Vision encoder of CLIP.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
    .head = projection<true>,
};
extern const Family metaclip_2{
    .model_type = "metaclip_2",
    .summary = "Like CLIP, multilingual.",
    .classes = {"MetaClip2", heads::base | heads::image, ""},
    .backbone = backbone,
    .head = vision_head,
};
extern const Family altclip_vision_model{
    .model_type = "altclip_vision_model",
    .summary = "Vision encoder of AltCLIP.",
    .classes = {"AltCLIPVision", heads::base, ""},
    .backbone = vision_backbone,
};
extern const Family chinese_clip_text_model{
    .model_type = "chinese_clip_text_model",
    .summary = "Text encoder of Chinese-CLIP.",
    .classes = {"ChineseCLIPText", heads::base, ""},
    .backbone = chinese_reader<chinese_pooled>,
};
extern const Family metaclip_2_text_model{
    .model_type = "metaclip_2_text_model",
    .summary = "Text encoder of MetaCLIP 2.",
    .classes = {.listed = metaclip_text},
    .backbone = clip_text_of_type<type>,
    .head = projection<false>,
};
extern const Family metaclip_2_vision_model{
    .model_type = "metaclip_2_vision_model",
    .summary = "Vision encoder of MetaCLIP 2.",
    .classes = {.listed = metaclip_vision},
    .backbone = vision_backbone,
    .head = projection<true>,
};

}  // namespace param_ledger
