// TIPS 2, an image-text model, and RADIO, which is distilled from several models: like DINOv2, with different tensor names.
// Source: transformers, models/tipsv2, radio.

#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

extern const Family tipsv2_text_model, tipsv2_vision_model;

namespace {

constexpr VisionLayers layers_of_both{
    .attention = {.even_share = false, .qkv_bias = true, .output_bias = true, .fused = "qkv", .o = "proj"},
    .attention_name = "attn",
    .norm1 = "norm1",
    .norm2 = "norm2"};

struct Defaults {
  std::uint64_t hidden, layers, heads;
};

/// Reads the fields that TIPS 2's vision model and RADIO have in common. With use_swiglu_ffn the inner width is two thirds of mlp_ratio ×
/// hidden size, rounded up to a multiple of 8.
VisionLayers fields(Config c, const Defaults& defaults) {
  VisionLayers m = layers_of_both;
  Attention& a = m.attention;
  a.hidden = c.integer("hidden_size", defaults.hidden);
  m.n_layers = c.integer("num_hidden_layers", defaults.layers);
  a.heads = c.integer("num_attention_heads", defaults.heads, 1);
  a.head_dim = c.integer("head_dim", attribute.or_else(floor_divide(a.hidden, a.heads)));
  a.qkv_bias = c.flag("qkv_bias", true);
  m.inner = c.scaled("mlp_ratio", 4.0, a.hidden, "inner_size", "f");
  m.gated = c.flag("use_swiglu_ffn", false);
  if (m.gated) m.inner = 8 * ceil_divide(floor_divide(2 * m.inner, c.literal(3)), c.literal(8));
  return m;
}

BackboneOutput vision_backbone(Config c, Builder& b) {
  VisionLayers m = fields(c, {768, 12, 12});
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3), registers = c.integer("num_register_tokens", 1);
  const Sides image = c.sides("image_size", 448), patch = c.sides("patch_size", 14);
  m.layers = "blocks";
  m.scale1 = "ls1.gamma", m.scale2 = "ls2.gamma";
  m.fused = m.gated;
  m.up = m.fused ? "w12" : "c_fc", m.down = m.fused ? "w3" : "c_proj";
  b.part(Part::embedding, [&] {
    tokens(b, "cls_token", 1, d);
    b.parameter("mask_token", {c.literal(1), d}, StorageKind::table);
    patch_embedding(b, "patch_embed.proj", channels, d, patch);
    tokens(b, "pos_embed", area(grid(image, patch)) + 1, d);
    tokens(b, "register_tokens", registers, d);
  });
  vision_layers(b, m);
  layer_norm(b, "norm", d);
  return {.hidden = d};
}

BackboneOutput text_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 32000);
  const VisionLayers m = vision_fields(c, {768, 3072, 12, 12});
  const Expr d = m.attention.hidden;
  require_multiple(d, m.attention.heads);
  const Tensor words = embedding(b, "token_embedding", vocab, d, TensorRole::token_embedding);
  b.repeat("transformer.resblocks", all(m.n_layers), [&] {
    require_positive(d);
    layer_norm(b, "ln_1", d);
    multihead_attention(b, "attn", d);
    layer_norm(b, "ln_2", d);
    mlp(b, "mlp", d, m.inner, true, "c_fc", "c_proj");
  });
  layer_norm(b, "ln_final", d);
  return {.hidden = d, .embedding = words};
}

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput words = nested(c.section("text_config"), b, "text_encoder", tipsv2_text_model);
  BackboneOutput seen;
  b.tower(Tower::vision, "vision_encoder", [&] { seen = nested(c.section("vision_config"), b, "", tipsv2_vision_model); });
  require_equal(words.hidden, seen.hidden);
  b.tower(Tower::projector, "", [&] { b.parameter("temperature", {}); });
  return words;
}

/// Reads a list and returns its length, by default `fallback`. No tensor shape depends on the entries themselves.
Expr entries(Config c, Text name, Count fallback) {
  const Json given = c.peek(name);
  c.consume(name);
  if (!given || given.is_null()) return c.literal(fallback);
  if (!given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, name, "must be a list.");
  return c.literal(given.size());
}

BackboneOutput radio_backbone(Config c, Builder& b) {
  VisionLayers m = fields(c, {1280, 32, 16});
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 16, 1);
  const Expr largest = c.integer("max_img_size", 2048), summaries = c.integer("num_cls_tokens", 3),
             registers = c.integer("num_registers", 7);
  const std::optional<Expr> frames = c.optional_integer("video_temporal_patch_size", {}, 2);
  const Expr values = channels * power(patch, 2), one = c.literal(1);
  m.layers = "model.blocks";
  m.scale1 = "layer_scale1.lambda1", m.scale2 = "layer_scale2.lambda1";
  b.scope("radio_model", [&] {
    b.part(Part::embedding, [&] {
      for (const Text name : {"norm_mean", "norm_std"}) b.buffer(concat({"input_conditioner.", name}), {entries(c, name, 3), one, one});
      b.scope("model.patch_generator", [&] {
        b.parameter("cls_token.token", {summaries + registers, d}, StorageKind::table);
        linear(b, "embedder", values, d);
        if (frames) linear(b, "video_embedder", *frames * values, d);
        tokens(b, "pos_embed", power(floor_divide(largest, patch), 2), d);
      });
      b.buffer("summary_idxs", {entries(c, "summary_idxs", 2)});
    });
    vision_layers(b, m);
  });
  return {.hidden = d};
}

}  // namespace

extern const Family radio{
    .model_type = "radio",
    .summary = "Like DINOv2, distilled from several vision foundation models.",
    .classes = {"Radio", heads::base, ""},
    .backbone = radio_backbone,
};
extern const Family tipsv2{
    .model_type = "tipsv2",
    .summary = "Contrastive image-text model: a DINOv2-like ViT and a text encoder.",
    .classes = {"Tipsv2", heads::base, ""},
    .backbone = backbone,
};
extern const Family tipsv2_text_model{
    .model_type = "tipsv2_text_model",
    .summary = "Text encoder of TIPSv2.",
    .classes = {"Tipsv2Text", heads::base, ""},
    .backbone = text_backbone,
};
extern const Family tipsv2_vision_model{
    .model_type = "tipsv2_vision_model",
    .summary = "Vision encoder of TIPSv2.",
    .classes = {"Tipsv2Vision", heads::base | heads::backbone, ""},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
