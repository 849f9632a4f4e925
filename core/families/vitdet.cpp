// ViTDet: like ViT, without a class token, for detectors. Attention may be windowed in some layers and may have relative positions, and
// some layers may end in a convolutional block. Source: transformers, models/vitdet.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VisionLayers layers = [] {
  VisionLayers m = vit_layers;
  m.attention.fused = "qkv", m.attention.o = "proj";
  m.norm1 = "norm1", m.norm2 = "norm2";
  m.mlp_name = "mlp", m.up = "fc1", m.down = "fc2";
  return m;
}();
constexpr VitType type{.sizes = {768, 0, 12, 12, 224, 16}, .layout = {.layers = layers}, .switches = qkv_bias, .own_head_dim = false};

void residual(Builder& b, Expr d) {
  const Expr half = floor_divide(d, b.pool().literal(2));
  b.scope(Part::convolution, "residual", [&] {
    conv2d(b, "conv1", d, half, 1, false);
    layer_norm(b, "norm1", half);
    conv2d(b, "conv2", half, half, 3, false);
    layer_norm(b, "norm2", half);
    conv2d(b, "conv3", half, d, 1, false);
    layer_norm(b, "norm3", d);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  Vit m = vit_fields(c, type);
  m.layers.attention.even_share = false;
  const Sides before = c.sides("pretrain_image_size", 224);
  const bool absolute = c.flag("use_absolute_position_embeddings", true), relative = c.flag("use_relative_position_embeddings", false);
  const Expr window = c.integer("window_size", 0), n_layers = m.layers.n_layers, d = m.layers.attention.hidden;
  const LayerList windows(c.integers("window_block_indices", {})), residuals(c.integers("residual_block_indices", {}));
  const Split local = split(c, n_layers, "num_window_layers", "L_w", "Layers with windowed attention.",
                            [&](std::size_t i) { return window.decide() > 0 && windows.has(i); });
  b.scope(Part::embedding, "embeddings", [&] {
    if (absolute) tokens(b, "position_embeddings", area(grid(before, m.patch)) + 1, d, TensorRole::position_embedding);
    patch_embedding(b, "projection", m.channels, d, m.patch);
  });
  vision_layers(b, m.layers);
  const Expr share = floor_divide(d, m.layers.attention.heads);
  const auto positions = [&](Sides sides) {
    require_positive(sides.height);
    require_positive(sides.width);
    b.scope(Part::attention, "attention", [&] {
      b.parameter("rel_pos_h", {2 * sides.height - 1, share}, StorageKind::table);
      b.parameter("rel_pos_w", {2 * sides.width - 1, share}, StorageKind::table);
    });
  };
  if (relative) {
    b.repeat("encoder.layer", local.in, [&] { positions({window, window}); });
    b.repeat("encoder.layer", local.out, [&] { positions(grid(m.image, m.patch)); });
  }
  b.repeat("encoder.layer",
           layers_where(c, n_layers, "num_residual_layers", "L_r", "Layers with convolutions at their end.",
                        [&](std::size_t i) { return residuals.has(i); }),
           [&] { residual(b, d); });
  return layers_as_stages(b, d, n_layers);
}

}  // namespace

extern const Family vitdet{
    .model_type = "vitdet",
    .summary = "Object detection backbone: ViT with windowed attention and relative positions.",
    .classes = {"VitDet", heads::base | heads::backbone, ""},
    .backbone = backbone,
};

}  // namespace param_ledger
