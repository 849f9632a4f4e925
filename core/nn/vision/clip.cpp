#include "core/nn/vision/clip.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"

namespace param_ledger {

Config section_or_legacy(Config c, Text section, Text old) { return c.section(is_given(c, old) ? old : section); }

BackboneOutput clip_text(Config c, Builder& b, const ClipType& type) {
  const Expr vocab = c.integer("vocab_size", 49408), positions = c.integer("max_position_embeddings", type.positions);
  VisionLayers m = vision_fields(c, type.text);
  m.attention.even_share = type.even;
  const Expr d = m.attention.hidden;
  if (type.even) require_multiple(d, m.attention.heads);
  b.scope("embeddings", [&] {
    embedding(b, "token_embedding", vocab, d, TensorRole::token_embedding);
    embedding(b, "position_embedding", positions, d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "final_layer_norm", d);
  return {.hidden = d};
}

BackboneOutput clip_tower(Config c, Builder& b, const ClipType& type, void (*more)(Builder& b, const VisionLayers& m)) {
  VisionLayers m = vision_fields(c, type.vision);
  m.attention.even_share = type.even;
  m.layers = type.layers;
  m.more = more;
  const Expr d = m.attention.hidden;
  const Image image = image_fields(c, type.vision.side, type.vision.patch);
  if (type.even) require_multiple(d, m.attention.heads);
  b.scope(Part::embedding, "embeddings", [&] {
    b.parameter("class_embedding", {d});
    patch_embedding(b, "patch_embedding", image.channels, d, image.patch, false);
    record_block(b, {Mechanism::patch_embedding}, "patch_embedding");
    embedding(b, "position_embedding", image.patches() + 1, d, TensorRole::position_embedding);
  });
  layer_norm(b, type.first_norm, d);
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "post_layernorm", d);
  return {.hidden = d};
}

Expr clip_projections(Config c, Builder& b, Expr seen, Expr read, std::uint64_t shared) {
  const Expr width = c.integer("projection_dim", shared);
  b.tower(Tower::projector, "", [&] {
    linear(b, "visual_projection", seen, width);
    linear(b, "text_projection", read, width);
    b.parameter("logit_scale", {});
  });
  return width;
}

ClipWidths clip_model(Config c, Builder& b, const ClipType& type, void (*more)(Builder& b, const VisionLayers& m)) {
  Config text = section_or_legacy(c, "text_config", "text_config_dict"),
         vision = section_or_legacy(c, "vision_config", "vision_config_dict");
  text.consume("model_type");
  vision.consume("model_type");
  BackboneOutput read, seen;
  b.scope("text_model", [&] { read = clip_text(text, b, type); });
  b.tower(Tower::vision, "vision_model", [&] { seen = clip_tower(vision, b, type, more); });
  return {read.hidden, seen.hidden, clip_projections(c, b, seen.hidden, read.hidden, type.shared)};
}

}  // namespace param_ledger
