// AIMv2: like CLIP, with RMSNorm and gated feed-forward blocks. Attention pools the patches unless use_head is false.
// Source: transformers, models/aimv2.

#include "core/nn/nested.hpp"
#include "core/nn/vision/clip.hpp"

namespace param_ledger {

extern const Family aimv2_text_model, aimv2_vision_model;

namespace {

VisionLayers fields(Config c, const VisionDefaults& defaults) {
  VisionLayers m = vision_fields(c, defaults,
                                 {.attention = {.o = "out_proj"},
                                  .attention_name = "attention",
                                  .mlp_name = "ffn",
                                  .norm1 = "rms_norm1",
                                  .norm2 = "rms_norm2",
                                  .norm = Norm::rms,
                                  .gated = true});
  m.attention.qkv_bias = m.attention.output_bias = c.flag("qkv_bias", false);
  m.mlp_bias = c.flag("mlp_bias", false);
  return m;
}

BackboneOutput vision_backbone(Config c, Builder& b) {
  const VisionLayers m = fields(c, {1024, 2816, 24, 8});
  const Expr d = m.attention.hidden;
  const Image image = image_fields(c, 224, 14);
  const bool any_size = c.flag("is_native", false), pooled = c.flag("use_head", true);
  b.scope(Part::embedding, "embeddings", [&] {
    patch_embedding(b, "patch_embed", image.channels, d, image.patch);
    rms_norm(b, "rms_norm", d);
    if (!any_size) embedding(b, "position_embedding", image.patches(), d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  rms_norm(b, "rms_norm", d);
  if (pooled)
    b.scope(Part::attention, "head", [&] {
      tokens(b, "cls_token", 1, d);
      linear(b, "k_proj", d, d, m.attention.qkv_bias, TensorRole::key);
      linear(b, "v_proj", d, d, m.attention.qkv_bias, TensorRole::value);
      linear(b, "output_proj", d, d, true);
    });
  return {.hidden = d};
}

BackboneOutput text_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 49408), positions = c.integer("max_position_embeddings", 77);
  const VisionLayers m = fields(c, {768, 2048, 12, 6});
  const Expr d = m.attention.hidden;
  b.scope("embeddings", [&] {
    embedding(b, "token_embedding", vocab, d, TensorRole::token_embedding);
    embedding(b, "position_embedding", positions, d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  rms_norm(b, "rms_norm", d);
  return {.hidden = d};
}

BackboneOutput backbone(Config c, Builder& b) {
  BackboneOutput seen;
  b.tower(Tower::vision, "vision_model", [&] { seen = nested(c.section("vision_config"), b, "", aimv2_vision_model); });
  const BackboneOutput read = nested(c.section("text_config"), b, "text_model", aimv2_text_model);
  clip_projections(c, b, seen.hidden, read.hidden);
  return seen;
}

constexpr Architecture classes[] = {{"Aimv2Model", Head::none, ""}};
constexpr Architecture vision_classes[] = {{"Aimv2VisionModel", Head::none, ""}};

}  // namespace

extern const Family aimv2{
    .model_type = "aimv2",
    .summary = "Contrastive image-text model like CLIP, with RMSNorm and gated MLPs.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family aimv2_vision_model{
    .model_type = "aimv2_vision_model",
    .summary = "Vision encoder of AIMv2.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
};
extern const Family aimv2_text_model{
    .model_type = "aimv2_text_model",
    .summary = "Text encoder of AIMv2.",
    .classes = {"Aimv2Text", heads::base, ""},
    .backbone = text_backbone,
};

}  // namespace param_ledger
