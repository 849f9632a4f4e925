// FLAVA: ViT's layers over an image, over a text, and over what the two give.
// Source: transformers, models/flava.

#include "core/blocks/clip.hpp"
#include "core/blocks/vit.hpp"

namespace param_ledger {

namespace {

/// The layers alone, with the norm after them and a pooler.
VisionLayers layers_of(Config c, std::uint64_t layers) {
  VisionLayers m = vision_fields(c, {768, 3072, layers, 12}, vit_layers);
  m.attention.even_share = true;
  m.attention.scaled_by_head_dim = false;  // when it is built
  m.attention.qkv_bias = c.flag("qkv_bias", true);
  return m;
}
void record(Builder& b, const VisionLayers& m) {
  const Expr d = m.attention.hidden;
  vision_layers(b, m);
  layer_norm(b, "layernorm", d);
  b.part(Part::output_head, [&] { linear(b, "pooler.dense", d, d, true); });
}

Expr image_model(Config c, Builder& b) {
  const VisionLayers m = layers_of(c, 12);
  Vit embeddings{.layers = m, .channels = c.integer("num_channels", 3), .image = c.sides("image_size", 224)};
  embeddings.patch = c.sides("patch_size", 16);
  if (c.flag("mask_token", true)) embeddings.mask = MaskToken::one;
  vit_embeddings(b, embeddings);
  record(b, m);
  return m.attention.hidden;
}

Expr text_model(Config c, Builder& b) {
  const VisionLayers m = layers_of(c, 12);
  const Expr d = m.attention.hidden, vocab = c.integer("vocab_size", 30522), positions = c.integer("max_position_embeddings", 512);
  const Expr types = c.integer("type_vocab_size", 2);
  b.scope("embeddings", [&] {
    embedding(b, "word_embeddings", vocab, d);
    embedding(b, "position_embeddings", positions, d);
    embedding(b, "token_type_embeddings", types, d);
    layer_norm(b, "LayerNorm", d);
  });
  record(b, m);
  return d;
}

Expr joint_model(Config c, Builder& b) {
  const VisionLayers m = layers_of(c, 6);
  if (c.flag("use_cls_token", true)) b.part(Part::embedding, [&] { tokens(b, "cls_token", 1, m.attention.hidden); });
  record(b, m);
  return m.attention.hidden;
}

Config part(Config c, Text section, Text old) {
  Config out = section_or_old(c, section, old);
  out.consume("model_type");
  return out;
}
Config image_part(Config c) { return part(c, "image_config", "image_config_dict"); }
Config text_part(Config c) { return part(c, "text_config", "text_config_dict"); }

Backbone backbone(Config c, Builder& b) {
  const Expr shared = c.integer("projection_dim", 768);
  Expr image, text, joint;
  b.tower(Part::vision, "image_model", [&] { image = image_model(image_part(c), b); });
  b.scope("text_model", [&] { text = text_model(text_part(c), b); });
  b.scope("multimodal_model", [&] { joint = joint_model(part(c, "multimodal_config", "multimodal_config_dict"), b); });
  b.part(Part::projector, [&] {
    linear(b, "image_projection", image, shared, true);
    linear(b, "text_projection", text, shared, true);
    linear(b, "image_to_mm_projection", image, joint, true);
    linear(b, "text_to_mm_projection", text, joint, true);
    b.parameter("logit_scale", {});
  });
  return {.hidden = joint};
}

constexpr Architecture classes[] = {{"FlavaModel", Head::none, ""}};

}  // namespace

extern const Family flava{
    .model_type = "flava",
    .summary = "ViT's layers over image, text and both.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
