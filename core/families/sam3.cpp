// SAM 3: detects and segments objects that are described by a text or by examples. Source: transformers, models/sam3.

#include "core/nn/vision/sam3.hpp"

#include "core/nn/nested.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

extern const Family clip_text_model;
extern const Family sam3_vision_model, sam3_vit_model;

namespace {

constexpr VisionLayers vit{.attention = {.even_share = false, .qkv_bias = true, .output_bias = true}, .attention_name = "attention"};

BackboneOutput vit_backbone(Config c, Builder& b) {
  VisionLayers m = vision_fields(c, {1024, 4736, 32, 16}, vit);
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3);
  const Sides patch = c.sides("patch_size", 14), before = c.sides("pretrain_image_size", 336);
  b.scope(Part::embedding, "embeddings", [&] {
    patch_embedding(b, "patch_embeddings.projection", channels, d, patch, false);
    tokens(b, "position_embeddings", area(grid(before, patch)), d, TensorRole::position_embedding);
  });
  layer_norm(b, "layer_norm", d);
  vision_layers(b, m);
  return {.hidden = d};
}

BackboneOutput vision_backbone(Config c, Builder& b) {
  sam3_vision(c, b, sam3_vit_model, "backbone", "neck");
  return {};
}

/// Records the CLIP text model that transformers builds if text_config is missing.
BackboneOutput unnamed_text(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 49408), positions = c.integer("max_position_embeddings", 32);
  const VisionLayers m = vision_fields(c, {1024, 4096, 24, 16});
  b.scope("embeddings", [&] {
    embedding(b, "token_embedding", vocab, m.attention.hidden, TensorRole::token_embedding);
    embedding(b, "position_embedding", positions, m.attention.hidden, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "final_layer_norm", m.attention.hidden);
  return {.hidden = m.attention.hidden};
}

/// Records CLIP's text model and its projection. Returns the width before the projection.
Expr clip_text(Config c, Builder& b) {
  static constexpr Family unnamed{.backbone = unnamed_text};
  Config text = c.section("text_config");
  require_type(text, "clip_text_model");
  const Expr d = nested(text, b, "text_encoder.text_model", is_given(c, "text_config") ? clip_text_model : unnamed).hidden;
  const Expr shared = text.integer("projection_dim", 512);
  b.tower(Tower::projector, "", [&] { linear(b, "text_encoder.text_projection", d, shared); });
  return d;
}

BackboneOutput backbone(Config c, Builder& b) {
  sam3_detector(c, b, sam3_vision_model, clip_text);
  return {};
}

}  // namespace

extern const Family sam3{
    .model_type = "sam3",
    .summary = "Open-vocabulary detection and instance segmentation by text or image exemplars.",
    .classes = {"Sam3", heads::base, ""},
    .backbone = backbone,
};
extern const Family sam3_vision_model{
    .model_type = "sam3_vision_model",
    .summary = "Vision encoder of SAM 3: ViT and the neck.",
    .classes = {"Sam3Vision", heads::base, ""},
    .backbone = vision_backbone,
};
extern const Family sam3_vit_model{
    .model_type = "sam3_vit_model",
    .summary = "ViT backbone of SAM 3.",
    .classes = {"Sam3ViT", heads::base, ""},
    .backbone = vit_backbone,
};

}  // namespace param_ledger
