// SegGPT: a vision transformer that segments an image in the way that an example shows. The example is placed above the image. Source:
// transformers, models/seggpt.

#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VisionLayers layers{.attention = {.even_share = false, .qkv_bias = true, .output_bias = true, .fused = "qkv", .o = "proj"},
                              .layers = "encoder.layers",
                              .attention_name = "attention",
                              .norm1 = "layernorm_before",
                              .norm2 = "layernorm_after",
                              .up = "lin1",
                              .down = "lin2"};

/// Reads the height and width, by default 896 × 448: an example above an image of equal size.
Sides image_sides(Config c) {
  if (c.peek("image_size").is(Json::Type::integer)) return c.sides("image_size", 448);
  const std::vector<Expr> sides = c.dimensions("image_size", {896, 448});
  if (sides.size() != 2) c.refuse(ErrorCode::out_of_range, "image_size", "must be a list of height and width.", Refused::list_length);
  return {sides[0], sides[1]};
}

BackboneOutput backbone(Config c, Builder& b) {
  VisionLayers m = layers;
  const Expr d = c.integer("hidden_size", 1024), channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 16, 1);
  const Expr before = c.integer("pretrain_image_size", 224), one = c.literal(1);
  const Sides image = image_sides(c), in_patches = grid(image, {patch, patch});
  m.attention.hidden = d;
  m.attention.heads = c.integer("num_attention_heads", 16, 1);
  m.attention.qkv_bias = c.flag("qkv_bias", true);
  m.n_layers = c.integer("num_hidden_layers", 24);
  m.inner = c.integer("mlp_dim", 4 * d);
  const bool relative = c.flag("use_relative_position_embeddings", true);
  b.scope(Part::embedding, "embeddings", [&] {
    for (const Text name : {"mask_token", "segment_token_input", "segment_token_prompt", "type_token_semantic", "type_token_instance"})
      b.parameter(name, {one, one, one, d}, StorageKind::table);
    tokens(b, "position_embeddings", power(floor_divide(before, patch), 2) + 1, d, TensorRole::position_embedding);
    patch_embedding(b, "patch_embeddings.projection", channels, d, patch);
  });
  vision_layers(b, m);
  const Expr share = floor_divide(d, m.attention.heads);
  if (relative)
    b.repeat(m.layers, all(m.n_layers), [&] {
      require_positive(in_patches.height);
      require_positive(in_patches.width);
      b.scope(Part::attention, "attention", [&] {
        b.parameter("rel_pos_h", {2 * in_patches.height - 1, share}, StorageKind::table);
        b.parameter("rel_pos_w", {2 * in_patches.width - 1, share}, StorageKind::table);
      });
    });
  layer_norm(b, "encoder.layernorm", d);
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return;
  const Expr patch = c.integer("patch_size", 16, 1), d = c.integer("decoder_hidden_size", 64);
  const Expr read = c.count("num_layers_read", "L_r", "Layers that the decoder reads.",
                            c.integers("intermediate_hidden_state_indices", {5, 11, 17, 23}).size());
  b.scope(Part::output_head, "decoder", [&] {
    linear(b, "decoder_embed", read * m.hidden, power(patch, 2) * d, true);
    conv2d(b, "decoder_pred.conv", d, d, 3);
    layer_norm(b, "decoder_pred.layernorm", d);
    conv2d(b, "decoder_pred.head", d, c.literal(3), 1);
  });
}

constexpr Architecture painters[] = {{"SegGptForImageSegmentation", Head::other, "model"}};

}  // namespace

extern const Family seggpt{
    .model_type = "seggpt",
    .summary = "In-context image segmentation: a ViT prompted with an example image and mask.",
    .classes = {"SegGpt", heads::base, "model", {}, painters},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
