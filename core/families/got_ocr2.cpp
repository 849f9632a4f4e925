// GOT-OCR 2 and PP-Chart2Table: SAM's vision tower, by default with relative positions and with windowed attention in most layers. A neck
// and convolutions project its output to the text model. Source: transformers, models/got_ocr2, models/pp_chart2table.

#include "core/nn/nested.hpp"
#include "core/nn/vision/sam.hpp"

namespace param_ledger {

namespace {

/// Records the vision tower. Returns its number of output channels.
Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  Expr out;
  b.tower(Tower::vision, "vision_tower", [&] { out = sam_vision(c, b, false); });
  return out;
}

/// The Qwen2 that transformers builds if text_config is missing.
constexpr LlamaType unnamed_text{
    .sizes = {1024, 2816, 24, 151860, 16}, .kv_heads = fixed(16), .head_dim = attribute, .layout = {.attention = {.qkv_bias = true}}};
constexpr Family unnamed{
    .backbone = of_type<unnamed_text>,
};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = vision(c.section("vision_config"), b);
  Config text = c.section("text_config");
  BackboneOutput out = is_given(c, "text_config") ? text_beside_vision(text, b, "language_model.model", "qwen2")
                                                  : nested(text, b, "language_model.model", unnamed);
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    const Expr three = c.literal(3);
    convolution(b, "conv_upsampler1", channels, 2 * channels, {three, three}, false);
    convolution(b, "conv_upsampler2", 2 * channels, out.hidden, {three, three}, false);
    linear(b, "multimodal_projector", out.hidden, out.hidden, true);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family got_ocr2{
    .model_type = "got_ocr2",
    .summary = "Document OCR: Qwen2 with SAM's ViT.",
    .classes = {"GotOcr2", heads::conditional | heads::base, ""},
    .backbone = backbone,
    .cache = caches::switched(4096),
};
extern const Family pp_chart2table{
    .model_type = "pp_chart2table",
    .summary = "Converts images of charts to tables: a GOT-OCR 2.",
    .classes = {"GotOcr2", heads::conditional, ""},
    .backbone = backbone,
};

}  // namespace param_ledger
