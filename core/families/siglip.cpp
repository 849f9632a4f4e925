// SigLIP: like CLIP, without a class embedding. Instead of projections, it has a linear head for texts and, by default, an attention
// pooling head for images. SigLIP 2 accepts images of any aspect ratio, up to a maximum number of patches. Source: transformers,
// models/siglip, siglip2.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family siglip_text_model, siglip_vision_model, siglip2_vision_model;

namespace {

constexpr VisionDefaults sizes{768, 3072, 12, 12, 224, 16};

BackboneOutput text_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 32000), positions = c.integer("max_position_embeddings", 64);
  const VisionLayers m = vision_fields(c, sizes);
  const Expr d = m.attention.hidden, d_out = c.integer("projection_size", d);
  b.scope("embeddings", [&] {
    embedding(b, "token_embedding", vocab, d, TensorRole::token_embedding);
    embedding(b, "position_embedding", positions, d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "final_layer_norm", d);
  b.tower(Tower::projector, "", [&] { linear(b, "head", d, d_out, true); });
  return {.hidden = d_out};
}

/// Records SigLIP 2's encoder. Its input consists of patches, which a matrix projects.
VisionLayers encoder_of_patches(Config c, Builder& b) {
  const VisionLayers m = vision_fields(c, sizes);
  const Expr d = m.attention.hidden;
  const Expr channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 16), patches = c.integer("num_patches", 256);
  b.scope(Part::embedding, "embeddings", [&] {
    linear(b, "patch_embedding", channels * power(patch, 2), d, true);
    embedding(b, "position_embedding", patches, d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  return m;
}

template <bool second>
BackboneOutput vision_backbone(Config c, Builder& b) {
  const VisionLayers m = second ? encoder_of_patches(c, b) : siglip_encoder(c, b, sizes);
  layer_norm(b, "post_layernorm", m.attention.hidden);
  if (c.flag("vision_use_head", true)) attention_pool(b, "head", m);
  return {.hidden = m.attention.hidden};
}

template <const Family& vision>
BackboneOutput backbone(Config c, Builder& b) {
  const bool classifier = b.architecture().head != Head::none;
  if (!classifier) nested(c.section("text_config"), b, "text_model", siglip_text_model);
  BackboneOutput out;
  b.tower(Tower::vision, "vision_model", [&] { out = nested(c.section("vision_config"), b, "", vision); });
  if (!classifier)
    b.tower(Tower::projector, "", [&] {
      b.parameter("logit_scale", {c.literal(1)});
      b.parameter("logit_bias", {c.literal(1)});
    });
  return out;
}

constexpr Architecture classes[] = {{"SiglipModel", Head::none, ""}, {"SiglipForImageClassification", Head::image_classification, ""}};
constexpr Architecture classes_2[] = {{"Siglip2Model", Head::none, ""}, {"Siglip2ForImageClassification", Head::image_classification, ""}};
constexpr Architecture vision_classes[] = {{"SiglipVisionModel", Head::none, ""}};
constexpr Architecture vision_classes_2[] = {{"Siglip2VisionModel", Head::none, ""}};

}  // namespace

extern const Family siglip{
    .model_type = "siglip",
    .summary = "Like CLIP, with a sigmoid loss and attention pooling, without projections.",
    .classes = {.listed = classes},
    .backbone = backbone<siglip_vision_model>,
    .head = vision_head,
};
extern const Family siglip_vision_model{
    .model_type = "siglip_vision_model",
    .summary = "Vision encoder of SigLIP.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone<false>,
};
extern const Family siglip2{
    .model_type = "siglip2",
    .summary = "Like SigLIP, multilingual, with variable image resolution.",
    .classes = {.listed = classes_2},
    .backbone = backbone<siglip2_vision_model>,
    .head = vision_head,
};
extern const Family siglip2_vision_model{
    .model_type = "siglip2_vision_model",
    .summary = "Vision encoder of SigLIP 2.",
    .classes = {.listed = vision_classes_2},
    .backbone = vision_backbone<true>,
};
extern const Family siglip_text_model{
    .model_type = "siglip_text_model",
    .summary = "Text encoder of SigLIP.",
    .classes = {"SiglipText", heads::base, ""},
    .backbone = text_backbone,
};
extern const Family siglip2_text_model{
    .model_type = "siglip2_text_model",
    .summary = "Text encoder of SigLIP 2.",
    .classes = {"Siglip2Text", heads::base, ""},
    .backbone = text_backbone,
};

}  // namespace param_ledger
