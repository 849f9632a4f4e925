// MLCD: CLIP's vision transformer with RoPE. The rotary position embedding of the class token is learned. Source: transformers,
// models/mlcd.

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  VisionLayers m = vision_fields(c, {1664, 8192, 48, 16});
  m.attention.even_share = false;
  const Expr d = m.attention.hidden, share = floor_divide(d, m.attention.heads);
  const Image image = image_fields(c, 336, 14);
  require_positive(image.patch);
  require_positive(share);
  b.part(Part::embedding, [&] {
    b.parameter("class_pos_emb", {c.literal(1), floor_divide(share, c.literal(2))}, StorageKind::table);
    b.parameter("embeddings.class_embedding", {d});
    patch_embedding(b, "embeddings.patch_embedding", image.channels, d, image.patch, false);
  });
  layer_norm(b, "pre_layrnorm", d);  // misspelled in transformers
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "post_layernorm", d);
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"MLCDVisionModel", Head::none, ""}};

}  // namespace

extern const Family mlcd{
    .model_type = "mlcd",
    .summary = "Like CLIP's vision encoder, with 2D RoPE.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family mlcd_vision_model{
    .model_type = "mlcd_vision_model",
    .summary = "Vision encoder of MLCD: like CLIP's, with 2D RoPE.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
