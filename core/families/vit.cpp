// ViT and other vision transformers with ViT's structure. Each model type is described by a VitType. Source: transformers, models/<type>.

#include "core/nn/vision/vit.hpp"

#include "core/nn/heads.hpp"

namespace param_ledger {

namespace {

// VisionDefaults lists hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, image_size and patch_size.
constexpr VisionDefaults base{768, 3072, 12, 12, 224, 16};

constexpr VitType vit_itself{base, {.mask = MaskToken::masked, .pooler = true}, qkv_bias};
constexpr VitType deit_type{base, {.more = "distillation_token", .mask = MaskToken::masked, .pooler = true}, qkv_bias};
constexpr VitType ijepa_type{base, {.class_token = false}, qkv_bias};
constexpr VitType vit_msn_type{base, {.layers_in = "vit"}, qkv_bias};

void deit_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return vision_head(c, b, m);
  classifier(c, b, "cls_classifier", m.hidden);
  classifier(c, b, "distillation_classifier", m.hidden);
}

/// ViT-MAE, which reconstructs masked patches with additional decoder layers.
constexpr VitType vit_mae_type{base, {.sinusoids = true}, qkv_bias};

void vit_mae_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::pretraining) return;
  const Vit encoder = vit_fields(c, vit_mae_type);
  VisionLayers layers = encoder.layers;
  const Expr d = c.integer("decoder_hidden_size", 512), n = c.integer("decoder_num_attention_heads", 16, 1);
  layers.attention.hidden = d;
  layers.attention.heads = n;
  layers.attention.head_dim = c.has("head_dim") ? encoder.layers.attention.head_dim : floor_divide(d, n);
  layers.n_layers = c.integer("decoder_num_hidden_layers", 8);
  layers.inner = c.integer("decoder_intermediate_size", 2048);
  layers.layers = "decoder_encoder.layer";
  b.scope("decoder", [&] {
    b.part(Part::embedding, [&] {
      linear(b, "decoder_embed", m.hidden, d, true);
      tokens(b, "mask_token", 1, d);
      const InBlock block(b, {Mechanism::sinusoidal_positions});
      tokens(b, "decoder_pos_embed", encoder.patches() + 1, d);
    });
    vision_layers(b, layers);
    layer_norm(b, "decoder_norm", d);
    b.part(Part::output_head, [&] { linear(b, "decoder_pred", d, area(encoder.patch) * encoder.channels, true); });
  });
}

constexpr Architecture with_teacher[] = {{"DeiTForImageClassificationWithTeacher", Head::other, "deit"}};
constexpr Architecture vit_msn_classes[] = {{"ViTMSNForImageClassification", Head::image_classification, ""},
                                            {"ViTMSNModel", Head::none, ""}};
constexpr unsigned images = heads::base | heads::image, painted = images | heads::masked_image;

}  // namespace

extern const Family deit{
    .model_type = "deit",
    .summary = "Like ViT, with a distillation token.",
    .classes = {"DeiT", painted, "deit", {}, with_teacher},
    .backbone = vit_of_type<deit_type>,
    .head = deit_head,
};
extern const Family ijepa{
    .model_type = "ijepa",
    .summary = "Like ViT, without a class token, pretrained by joint-embedding prediction (I-JEPA).",
    .classes = {"IJepa", images, "ijepa"},
    .backbone = vit_of_type<ijepa_type>,
    .head = vision_head,
};
extern const Family vit{
    .model_type = "vit",
    .summary = "Image classification: a transformer on patches with a class token.",
    .classes = {"ViT", painted, "vit"},
    .backbone = vit_of_type<vit_itself>,
    .head = vision_head,
};
extern const Family vit_mae{
    .model_type = "vit_mae",
    .summary = "Masked autoencoder: a ViT encoder with a small decoder for masked patches.",
    .classes = {"ViTMAE", heads::base | heads::pretraining, "vit"},
    .backbone = vit_of_type<vit_mae_type>,
    .head = vit_mae_head,
};
extern const Family vit_msn{
    .model_type = "vit_msn",
    .summary = "Like ViT, pretrained as a masked Siamese network.",
    .classes = {.listed = vit_msn_classes},
    .backbone = vit_of_type<vit_msn_type>,
    .head = vision_head,
};

}  // namespace param_ledger
