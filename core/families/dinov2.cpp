// DINOv2, with or without registers: like ViT, with LayerScale. Pixio: like ViT, with n_cls_tokens class tokens. Source: transformers,
// models/dinov2, dinov2_with_registers, pixio.

#include "core/nn/heads.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VisionLayers dinov2_layers = [] {
  VisionLayers m = vit_layers;
  m.mlp_name = "mlp", m.up = "fc1", m.down = "fc2";
  m.norm1 = "norm1", m.norm2 = "norm2";
  m.scale1 = "layer_scale1.lambda1", m.scale2 = "layer_scale2.lambda1";
  return m;
}();

void dinov2_switches(Config c, Vit& m) {
  qkv_bias(c, m);
  m.layers.fused = c.flag("use_swiglu_ffn", false);
  if (!m.layers.fused) return;
  const Expr eight = c.literal(8);
  m.layers.inner = 8 * ceil_divide(floor_divide(2 * m.layers.inner, c.literal(3)), eight);
  m.layers.up = "weights_in", m.layers.down = "weights_out";
}

void maskable(Config c, Vit& m) {
  dinov2_switches(c, m);
  if (!c.flag("use_mask_token", true)) m.mask = MaskToken::none;
}

void registers(Config c, Vit& m) {
  dinov2_switches(c, m);
  m.registers = c.integer("num_register_tokens", 4);
}

void class_tokens(Config c, Vit& m) {
  qkv_bias(c, m);
  m.class_tokens = c.integer("n_cls_tokens", 8);
}

constexpr VisionLayers pixio_layers = [] {
  VisionLayers m = vit_layers;
  m.norm1 = "norm1", m.norm2 = "norm2";
  return m;
}();

constexpr VitType dinov2_type{{768, 0, 12, 12, 224, 14}, {.layers = dinov2_layers, .mask = MaskToken::flat}, maskable};
constexpr VitType registers_type{{768, 0, 12, 12, 224, 16}, {.layers = dinov2_layers, .mask = MaskToken::flat}, registers};
constexpr VitType pixio_type{{1280, 0, 32, 16, 256, 16}, {.layers = pixio_layers}, class_tokens};

/// Records the classifier, which reads the class token and the mean of the patches.
void dinov2_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::image_classification) classifier(c, b, "classifier", 2 * m.hidden);
}

constexpr Architecture pixio_backbone[] = {{"PixioBackbone", Head::other, "encoder"}};

/// Records the head. The backbone class PixioBackbone has an additional norm.
void pixio_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::other) return layer_norm(b, "layernorm", m.hidden);
  vision_head(c, b, m);
}

constexpr unsigned images = heads::base | heads::backbone | heads::image;

/// The default sizes of DepthPro's backbones, for images of 384 × 384 pixels.
constexpr VitType larger_type{{768, 0, 12, 12, 384, 14}, {.layers = dinov2_layers, .mask = MaskToken::flat}, maskable};
/// The sizes of the DINOv2 in Depth Anything if backbone_config is missing.
constexpr VitType small_type{{384, 0, 12, 6, 518, 14}, {.layers = dinov2_layers, .mask = MaskToken::flat}, maskable};

}  // namespace

/// A DINOv2 with the defaults that it has in DepthPro.
extern const Family dinov2_of_384{
    .model_type = "dinov2",
    .backbone = vit_of_type<larger_type>,
};
/// Depth Anything's backbone if backbone_config is missing.
extern const Family dinov2_small{
    .model_type = "dinov2",
    .backbone = vit_of_type<small_type>,
};
extern const Family dinov2{
    .model_type = "dinov2",
    .summary = "Self-supervised ViT with LayerScale.",
    .classes = {"Dinov2", images, "dinov2"},
    .backbone = vit_of_type<dinov2_type>,
    .head = dinov2_head,
};
extern const Family dinov2_with_registers{
    .model_type = "dinov2_with_registers",
    .summary = "Like DINOv2, with register tokens.",
    .classes = {"Dinov2WithRegisters", images, "dinov2_with_registers"},
    .backbone = vit_of_type<registers_type>,
    .head = dinov2_head,
};
extern const Family pixio{
    .model_type = "pixio",
    .summary = "Like ViT, with several class tokens, pretrained as a masked autoencoder.",
    .classes = {.prefix = "Pixio", .heads = heads::base, .listed = pixio_backbone},
    .backbone = vit_of_type<pixio_type>,
    .head = pixio_head,
};

}  // namespace param_ledger
