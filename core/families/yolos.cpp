// YOLOS: like ViT, with detection tokens and, by default, separate position embeddings that are added after each layer except the last.
// Source: transformers, models/yolos.

#include "core/nn/heads.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VitType type{.sizes = {.hidden = 768, .inner = 3072, .layers = 12, .heads = 12, .side = 512, .patch = 16, .width = 864},
                       .layout = {.more = "detection_tokens", .pooler = true},
                       .switches =
                           [](Config c, Vit& m) {
                             qkv_bias(c, m);
                             m.more_count = c.integer("num_detection_tokens", 100);
                           },
                       .own_head_dim = false};

BackboneOutput backbone(Config c, Builder& b) {
  const bool mid = c.flag("use_mid_position_embeddings", true);
  const Vit m = vit_fields(c, type);
  const BackboneOutput out = vit_model(c, b, m);
  if (!mid) return out;
  require_equal(m.patch.height, m.patch.width);
  const Expr places = floor_divide(m.image.height * m.image.width, power(m.patch.height, 2)) + m.more_count + 1;
  require_positive(m.layers.n_layers);
  b.scope(Part::embedding, "encoder", [&] {
    b.parameter("mid_position_embeddings", {m.layers.n_layers - 1, c.literal(1), places, out.hidden}, StorageKind::table);
  });
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::object_detection) return;
  constexpr std::size_t n_layers = 3;
  const Expr labels = num_labels(c);
  b.part(Part::output_head, [&] {
    mlp_head(b, "class_labels_classifier", m.hidden, m.hidden, labels + 1, n_layers);
    mlp_head(b, "bbox_predictor", m.hidden, m.hidden, c.literal(4), n_layers);
  });
}

}  // namespace

extern const Family yolos{
    .model_type = "yolos",
    .summary = "Object detection: a ViT with detection tokens.",
    .classes = {"Yolos", heads::base | heads::objects, "vit"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
