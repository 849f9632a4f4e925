// PaddleOCR-VL: SigLIP's encoder, a projector that merges neighbouring patches, and a small ERNIE 4.5.
// Source: transformers, models/paddleocr_vl.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family ernie4_5;  // defined in llama.cpp

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none;
  Config vision = c.section("vision_config");
  vision.consume("model_type");
  Expr d;
  b.tower(Tower::vision, "visual.vision_model", [&] {
    d = siglip_encoder(vision, b, {1152, 4304, 27, 16, 384, 14}).attention.hidden;
    layer_norm(b, "post_layernorm", d);
  });
  const Expr merged = power(vision.integer("spatial_merge_size", 2), 2) * d;
  const BackboneOutput out = nested(section_or_self(c, "text_config"), b, bare ? "language_model" : "model", ernie4_5);
  b.tower(Tower::projector, bare ? "projector" : "mlp_AR", [&] {
    layer_norm(b, "pre_norm", d);
    linear(b, "linear_1", merged, merged, true);
    linear(b, "linear_2", merged, out.hidden, true);
  });
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) { outer_language_model_head(c, b, m, true); }

}  // namespace

extern const Family paddleocr_vl{
    .model_type = "paddleocr_vl",
    .summary = "Document OCR: a small ERNIE 4.5 with SigLIP.",
    .classes = {"PaddleOCRVL", heads::conditional | heads::base, ""},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
