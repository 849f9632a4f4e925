// MiniCPM-V 4.6, 4.7 and MiniCPM-OCR: SigLIP's vision transformer, in which patches are merged between two layers; mergers that project its
// output to the text model; and a text model, by default Qwen3.5. Source: transformers, models/minicpmv4_6, minicpmv4_7, minicpm_ocr.

#include <algorithm>

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

BackboneOutput vision_backbone(Config c, Builder& b) {
  const std::vector<Expr> window = c.dimensions("window_kernel_size", {2, 2});
  if (window.size() < 2) c.refuse(ErrorCode::wrong_type, "window_kernel_size", "must contain a height and a width.");
  const Expr merged = window[0] * window[1];
  const VisionLayers m = siglip_encoder(c, b, {768, 3072, 12, 12, 224, 16});
  const Expr d = m.attention.hidden;
  layer_norm(b, "post_layernorm", d);
  b.scope("vit_merger", [&] {
    attention(b, "self_attn", m.attention);
    layer_norm(b, "layer_norm1", d);
    layer_norm(b, "pre_norm", d * merged);
    b.part(Part::feed_forward, [&] { two_layers(b, d * merged, m.inner * merged, d, true); });
  });
  return {.hidden = d};
}
constexpr Family vision_model{
    .backbone = vision_backbone,
};

/// Records a merger, which reduces four patches to one. The last merger projects to the text model.
void merger(Builder& b, Expr d, Expr out) {
  b.tower(Tower::projector, "", [&] {
    layer_norm(b, "pre_norm", 4 * d);
    two_layers(b, 4 * d, 4 * d, out, true);
  });
}

template <bool tied>
BackboneOutput backbone(Config c, Builder& b) {
  BackboneOutput tower;
  b.tower(Tower::vision, "vision_tower", [&] { tower = nested(c.section("vision_config"), b, "", vision_model); });
  const Expr times = c.integer("merger_times", 1);
  const Expr last = times.decide() == 0 ? times : times - 1;
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "qwen3_5_text");
  b.repeat("merger.mlp", all(last), [&] { merger(b, tower.hidden, tower.hidden); });
  b.repeat("merger.mlp", between(last, last + 1), [&] { merger(b, tower.hidden, out.hidden); });
  out.tie_by_default = tied;
  return out;
}

constexpr unsigned classes = heads::conditional | heads::base;
constexpr Architecture vision_classes_4_7[] = {{"MiniCPMV4_7VisionModel", Head::none, ""}};
constexpr Architecture vision_classes_ocr[] = {{"MiniCPMOcrVisionModel", Head::none, ""}};

}  // namespace

extern const Family minicpmv4_6{
    .model_type = "minicpmv4_6",
    .summary = "Vision-language model: Qwen3.5 with SigLIP and two-stage patch merging.",
    .classes = {"MiniCPMV4_6", classes},
    .backbone = backbone<false>,
};
extern const Family minicpmv4_7{
    .model_type = "minicpmv4_7",
    .summary = "Like MiniCPM-V 4.6, with image positions in the text model.",
    .classes = {"MiniCPMV4_7", classes},
    .backbone = backbone<false>,
};
extern const Family minicpmv4_7_vision{
    .model_type = "minicpmv4_7_vision",
    .summary = "Vision encoder of MiniCPM-V 4.7.",
    .classes = {.listed = vision_classes_4_7},
    .backbone = vision_backbone,
};
extern const Family minicpm_ocr{
    .model_type = "minicpm_ocr",
    .summary = "Document OCR: like MiniCPM-V 4.6.",
    .classes = {"MiniCPMOcr", classes},
    .backbone = backbone<true>,
};
extern const Family minicpm_ocr_vision{
    .model_type = "minicpm_ocr_vision",
    .summary = "Vision encoder of MiniCPM-OCR.",
    .classes = {.listed = vision_classes_ocr},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
