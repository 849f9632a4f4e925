// OWL-ViT: like CLIP, with heads that detect objects named by texts. Source: transformers, models/owlvit, owlv2.

#include "core/nn/vision/clip.hpp"

namespace param_ledger {

namespace {

constexpr ClipType owlvit_type{.positions = 16, .vision = {768, 3072, 12, 12, 768, 32}, .first_norm = "pre_layernorm"};
constexpr ClipType owlv2_type{.positions = 16, .vision = {768, 3072, 12, 12, 768, 16}, .first_norm = "pre_layernorm"};

template <const ClipType& type>
BackboneOutput backbone(Config c, Builder& b) {
  const ClipWidths m = clip_model(c, b, type);
  return {.hidden = m.vision, .vocabulary = m.text};
}

constexpr Architecture text_classes[] = {{"OwlViTTextModel", Head::none, "text_model"}};
constexpr Architecture text_2_classes[] = {{"Owlv2TextModel", Head::none, "text_model"}};
constexpr Architecture vision_classes[] = {{"OwlViTVisionModel", Head::none, "vision_model"}};
constexpr Architecture vision_2_classes[] = {{"Owlv2VisionModel", Head::none, "vision_model"}};

template <bool second>
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const Expr d = m.hidden;
  const auto boxes = [&](Text name, std::uint64_t numbers) {
    b.scope(name, [&] {
      linear(b, "dense0", d, d, true);
      linear(b, "dense1", d, d, true);
      linear(b, "dense2", d, c.literal(numbers), true);
    });
  };
  b.part(Part::output_head, [&] {
    b.scope("class_head", [&] {
      linear(b, "dense0", d, m.vocabulary, true);
      linear(b, "logit_shift", d, c.literal(1), true);
      linear(b, "logit_scale", d, c.literal(1), true);
    });
    boxes("box_head", 4);
    if (second) boxes("objectness_head", 1);
  });
  layer_norm(b, "layer_norm", d);
}

}  // namespace

extern const Family owlv2{
    .model_type = "owlv2",
    .summary = "Like OWL-ViT, with an objectness head.",
    .classes = {"Owlv2", heads::base | heads::objects, "owlv2"},
    .backbone = backbone<owlv2_type>,
    .head = head<true>,
};
extern const Family owlvit{
    .model_type = "owlvit",
    .summary = "Open-vocabulary object detection: CLIP with box and class heads.",
    .classes = {"OwlViT", heads::base | heads::objects, "owlvit"},
    .backbone = backbone<owlvit_type>,
    .head = head<false>,
};
extern const Family owlv2_text_model{
    .model_type = "owlv2_text_model",
    .summary = "Text encoder of OWLv2.",
    .classes = {.listed = text_2_classes},
    .backbone = clip_text_of_type<owlv2_type>,
};
extern const Family owlv2_vision_model{
    .model_type = "owlv2_vision_model",
    .summary = "Vision encoder of OWLv2.",
    .classes = {.listed = vision_2_classes},
    .backbone = clip_tower_of_type<owlv2_type>,
};
extern const Family owlvit_text_model{
    .model_type = "owlvit_text_model",
    .summary = "Text encoder of OWL-ViT.",
    .classes = {.listed = text_classes},
    .backbone = clip_text_of_type<owlvit_type>,
};
extern const Family owlvit_vision_model{
    .model_type = "owlvit_vision_model",
    .summary = "Vision encoder of OWL-ViT.",
    .classes = {.listed = vision_classes},
    .backbone = clip_tower_of_type<owlvit_type>,
};

}  // namespace param_ledger
