// GLM-4.1V and 4.6V, GLM-OCR: a vision transformer, a convolution that merges patches and projects them, and a GLM as text model.
// GLM-Image: a GLM that generates image tokens, a vision tower without a projection, and the codebook of image tokens. Source:
// transformers, models/glm4v, glm4v_moe (its tower), glm46v, glmga, glm_ocr, glm_image, glm5_next (its tower).

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/qwen_vision.hpp"

namespace param_ledger {

extern const Family glm4v_text, glm4v_vision, glm_ocr_text, glm_ocr_vision, glm_image_text, glm_image_vision, glm_image_vqmodel;

namespace {

// The text models: like GLM-4-0414. The head dimension is head_dim or, for GLM-4.1V, hidden ÷ heads.

constexpr LlamaDecoder glm_layout{.feed_forward = FeedForward::gated_fused,
                                  .norms = {.after_attention = "post_self_attn_layernorm", .after_feed_forward = "post_mlp_layernorm"}};

/// Records GLM-4.1V's text model, which has no field head_dim.
BackboneOutput text_4v(Config c, Builder& b) {
  LlamaDecoder m = glm_layout;
  const DecoderSizes s = decoder_sizes(c, {4096, 13696, 40, 151552, 32});
  m.inner = s.f;
  m.n_layers = s.n_layers;
  m.vocabulary = s.vocab;
  m.attention = {.hidden = s.d,
                 .heads = s.n,
                 .kv_heads = c.integer("num_key_value_heads", fixed_not_null(2).or_else(s.n)),
                 .head_dim = floor_divide(s.d, s.n),
                 .qkv_bias = true};
  return llama_decoder(b, m);
}
constexpr LlamaType ocr_text{.sizes = {1024, 4096, 16, 59392, 16}, .kv_heads = fixed(8), .head_dim = attribute, .layout = glm_layout};
constexpr LlamaType image_text{.sizes = {4096, 13696, 40, 168064, 32},
                               .kv_heads = fixed_not_null(2),
                               .head_dim = attribute,
                               .switches = [](Config c, LlamaDecoder& m) { m.attention.qkv_bias = c.flag("attention_bias", true); },
                               .layout = glm_layout};

/// The number of learned positions: one for each patch of a square image.
Expr positions(Config c, const QwenVision& m, std::uint64_t side) { return power(floor_divide(c.integer("image_size", side), m.patch), 2); }

/// Records a norm, a convolution that merges a square of patches into one token of width `out`, a projection and a gated feed-forward
/// block.
BackboneOutput merger(Config c, Builder& b, const QwenVision& m, Expr out, Expr inner) {
  const Expr d = m.layers.attention.hidden, side = c.integer("spatial_merge_size", 2);
  rms_norm(b, "post_layernorm", d);
  b.tower(Tower::projector, "", [&] {
    conv2d(b, "downsample", d, out, side);
    b.scope("merger", [&] {
      linear(b, "proj", out, out);
      layer_norm(b, "post_projection_norm", out);
      gated_mlp(b, "", out, inner);
    });
  });
  return {.hidden = out};
}

/// Records GLM-4.1V's vision tower. The inner width of its feed-forward blocks is out_hidden_size, and intermediate_size is the merger's
/// inner width.
BackboneOutput vision_4v(Config c, Builder& b) {
  QwenVision m = qwen_vision_fields(c, "hidden_size", {1536, 24, 14, 12});
  const Expr out = c.integer("out_hidden_size", 4096), f = c.integer("intermediate_size", 13696);
  const Expr n_positions = positions(c, m, 336);
  m.layers.norm = Norm::rms;
  m.layers.gated = true;
  m.layers.mlp_bias = m.layers.attention.output_bias = false;
  m.layers.attention.qkv_bias = c.flag("attention_bias", false);
  m.layers.inner = out;
  b.scope(Part::embedding, "embeddings",
          [&] { embedding(b, "position_embedding", n_positions, m.layers.attention.hidden, TensorRole::position_embedding); });
  qwen_vision_layers(b, m, true);
  rms_norm(b, "post_conv_layernorm", m.layers.attention.hidden);
  return merger(c, b, m, out, f);
}

/// Records the vision tower of GLM-OCR or, with `next`, of GLM-5-Next, which has a separate field for the merger's inner width.
template <bool next>
BackboneOutput vision_ocr(Config c, Builder& b) {
  QwenVision m = qwen_vision_fields(c, "hidden_size", {1024, 24, 14});
  const Expr out = c.integer("out_hidden_size", 1536);
  m.layers.inner = c.integer("intermediate_size", 4096);
  m.layers.norm = Norm::rms;
  m.layers.gated = true;
  m.layers.mlp_bias = m.layers.attention.qkv_bias = m.layers.attention.output_bias = c.flag("attention_bias", true);
  m.layers.attention.head_norms = QkNorm::per_head;
  qwen_vision_layers(b, m, true);
  return merger(c, b, m, out, next ? c.integer("projection_intermediate_size", 10240) : out * m.channels);
}

BackboneOutput vision_image(Config c, Builder& b) {
  const QwenVision read = qwen_vision_fields(c, "hidden_size", {1536, 40, 16, 16, 0, 0});
  VisionLayers m = read.layers;
  m.inner = c.integer("intermediate_size", 6144);
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", true);
  m.up = "fc1";
  m.down = "fc2";
  const Expr d = m.attention.hidden, n_positions = positions(c, read, 2048);
  b.part(Part::embedding, [&] {
    table(b, "embeddings.position_embedding", n_positions, d);
    patch_embedding(b, "patch_embed.proj", read.channels, d, read.patch);
  });
  vision_layers(b, m);
  return {.hidden = d};
}

/// Records the codebook of image tokens, with a projection before and one after it.
BackboneOutput codebook(Config c, Builder& b) {
  const Expr width = c.integer("embed_dim", 2048), count = c.integer("num_embeddings", 16384), latent = c.integer("latent_channels", 1536);
  b.tower(Tower::vision, "", [&] {
    table(b, "quantize.embedding", count, width);
    conv2d(b, "quant_conv", latent, width, 1);
    conv2d(b, "post_quant_conv", width, latent, 1);
  });
  return {.hidden = width};
}

// Records a model whose vision tower and text model have fixed model types.

template <const Family& tower, const Family& text>
BackboneOutput backbone(Config c, Builder& b) {
  b.tower(Tower::vision, "visual", [&] { nested(c.section("vision_config"), b, "", tower); });
  return nested(c.section("text_config"), b, "language_model", text);
}

/// Records a model whose vision_config and text_config may give the model types of the vision tower and the text model.
BackboneOutput backbone_46v(Config c, Builder& b) {
  vision_tower(c.section("vision_config"), b, "visual", {"glm4v_vision", "glm4v_moe_vision", "glm_ocr_vision"});
  return text_beside_vision(c.section("text_config"), b, "language_model", "glm4v_text");
}

/// Records GLM-Image. Its head predicts only image tokens.
BackboneOutput backbone_image(Config c, Builder& b) {
  BackboneOutput out = backbone<glm_image_vision, glm_image_text>(c, b);
  b.tower(Tower::vision, "vqmodel", [&] { nested(c.section("vq_config"), b, "", glm_image_vqmodel); });
  const Expr written = c.section("text_config").integer("vision_vocab_size", 16512);
  return {.hidden = out.hidden, .vocabulary = written};
}

constexpr Architecture text_4v_classes[] = {{"Glm4vTextModel", Head::none, ""}};
constexpr Architecture vision_4v_classes[] = {{"Glm4vVisionModel", Head::none, ""}};
constexpr Architecture vision_4v_moe_classes[] = {{"Glm4vMoeVisionModel", Head::none, ""}};
constexpr Architecture text_ocr_classes[] = {{"GlmOcrTextModel", Head::none, ""}};
constexpr Architecture vision_ocr_classes[] = {{"GlmOcrVisionModel", Head::none, ""}};
constexpr Architecture vision_next_classes[] = {{"Glm5NextVisionModel", Head::none, ""}};
constexpr Architecture text_image_classes[] = {{"GlmImageTextModel", Head::none, ""}};
constexpr Architecture vision_image_classes[] = {{"GlmImageVisionModel", Head::none, ""}};
constexpr Architecture codebook_classes[] = {{"GlmImageVQVAE", Head::none, ""}};

}  // namespace

extern const Family glm4v{
    .model_type = "glm4v",
    .summary = "Vision-language model: GLM-4 with a vision encoder.",
    .classes = {"Glm4v", heads::conditional | heads::base},
    .backbone = backbone<glm4v_vision, glm4v_text>,
    .head = outer_language_model_head,
};
extern const Family glm46v{
    .model_type = "glm46v",
    .summary = "Like GLM-4.1V, with configurable vision and text model types.",
    .classes = {"Glm46V", heads::conditional | heads::base},
    .backbone = backbone_46v,
};
extern const Family glmga{
    .model_type = "glmga",
    .summary = "GLM-4.6V under another model type.",
    .classes = {"Glm46V", heads::conditional | heads::base},
    .backbone = backbone_46v,
};
extern const Family glm_ocr{
    .model_type = "glm_ocr",
    .summary = "Document OCR: a small GLM with a vision encoder.",
    .classes = {"GlmOcr", heads::conditional | heads::base},
    .backbone = backbone<glm_ocr_vision, glm_ocr_text>,
    .head = outer_language_model_head,
};
extern const Family glm_image{
    .model_type = "glm_image",
    .summary = "Image generation: a GLM that predicts image tokens, with a vision encoder and a VQ codebook.",
    .classes = {"GlmImage", heads::conditional | heads::base},
    .backbone = backbone_image,
};
extern const Family glm4v_text{
    .model_type = "glm4v_text",
    .summary = "Text model of GLM-4.1V: like GLM-4, with head_dim = hidden size / heads.",
    .classes = {.listed = text_4v_classes},
    .backbone = text_4v,
    .cache = caches::all_tokens,
};
extern const Family glm4v_vision{
    .model_type = "glm4v_vision",
    .summary = "Vision encoder of GLM-4.1V.",
    .classes = {.listed = vision_4v_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision_4v,
};
extern const Family glm4v_moe_vision{
    .model_type = "glm4v_moe_vision",
    .summary = "Vision encoder of GLM-4.5V.",
    .classes = {.listed = vision_4v_moe_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision_4v,
};
extern const Family glm_ocr_text{
    .model_type = "glm_ocr_text",
    .summary = "Text model of GLM-OCR.",
    .classes = {.listed = text_ocr_classes},
    .backbone = of_type<ocr_text>,
    .cache = caches::all_tokens,
};
extern const Family glm_ocr_vision{
    .model_type = "glm_ocr_vision",
    .summary = "Vision encoder of GLM-OCR.",
    .classes = {.listed = vision_ocr_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision_ocr<false>,
};
extern const Family glm5_next_vision{
    .model_type = "glm5_next_vision",
    .summary = "Vision encoder of GLM-5-Next.",
    .classes = {.listed = vision_next_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision_ocr<true>,
};
extern const Family glm_image_text{
    .model_type = "glm_image_text",
    .summary = "Text model of GLM-Image.",
    .classes = {.listed = text_image_classes},
    .backbone = of_type<image_text>,
    .cache = caches::all_tokens,
};
extern const Family glm_image_vision{
    .model_type = "glm_image_vision",
    .summary = "Vision encoder of GLM-Image.",
    .classes = {.listed = vision_image_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision_image,
};
extern const Family glm_image_vqmodel{
    .model_type = "glm_image_vqmodel",
    .summary = "VQ codebook of GLM-Image.",
    .classes = {.listed = codebook_classes},
    .backbone = codebook,
};

}  // namespace param_ledger
