// Hunyuan-VL: a vision transformer with learned positions, convolutions that merge patches, and a dense Hunyuan as text model.
// Source: transformers, models/hunyuan_vl.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family hunyuan_v1_dense;  // defined in hunyuan_v1_dense.cpp
extern const Family hunyuan_vl_text;

namespace {

BackboneOutput text_backbone(Config c, Builder& b) {
  BackboneOutput out = hunyuan_v1_dense.backbone(c, b);
  out.tie_by_default = true;
  return out;
}

/// The vision tower's module names. They differ between files of the tower alone, of the bare model and of the model with a head.
struct Names {
  Text norm1 = "layer_norm1", norm2 = "layer_norm2", up = "fc1", down = "fc2";
  Text merger = "patch_merger", conv1 = "proj_conv", conv2 = "proj_out";
};
constexpr Names names_alone{};
constexpr Names names_bare{.up = "dense_h_to_4h", .down = "dense_4h_to_h", .merger = "perceive", .conv1 = "proj.0", .conv2 = "proj.2"};
constexpr Names names_whole{"input_layernorm", "post_attention_layernorm", "dense_h_to_4h", "dense_4h_to_h", "perceive", "proj.0",
                            "proj.2"};

void tower(Config c, Builder& b, const Names& names, Expr out) {
  VisionLayers m = vision_fields(c, {1152, 4304, 27, 16}, {.attention = {.qkv_bias = true, .output_bias = true}});
  m.norm1 = names.norm1;
  m.norm2 = names.norm2;
  m.up = names.up;
  m.down = names.down;
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 16);
  m.attention.head_dim = c.integer("head_dim", attribute.or_else(floor_divide(d, m.attention.heads)));
  const Expr positions = power(floor_divide(c.integer("max_image_size", 2048), patch), 2) + 1;
  const Expr side = c.integer("spatial_merge_size", 2);
  b.scope(Part::embedding, "embeddings", [&] {
    patch_embedding(b, "patch_embedding", channels, d, patch);
    embedding(b, "position_embedding", positions, d, TensorRole::position_embedding);
  });
  vision_layers(b, m);
  b.tower(Tower::projector, names.merger, [&] {
    rms_norm(b, "before_rms", d);
    conv2d(b, names.conv1, d, 2 * d, side);
    conv2d(b, names.conv2, 2 * d, 4 * d, 1);
    linear(b, "mlp", 4 * d, out, true);
    b.parameter("image_newline", {4 * d});
    for (const Text name : {"image_begin", "image_end", "image_sep"}) b.parameter(name, {out});
    rms_norm(b, "after_rms", out);
  });
}

constexpr Alias vision_aliases[] = {{"attention_heads", "num_attention_heads"}};
constexpr Alias text_aliases[] = {{"attention_head_dim", "head_dim"}, {"org_vocab_size", "vocab_size"}};

BackboneOutput vision_backbone(Config c, Builder& b) {
  const Expr out = c.integer("text_hidden_size", 3072);
  tower(c, b, names_alone, out);
  return {.hidden = out};
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none;
  const BackboneOutput out = nested(section_or_self(c, "text_config"), b, bare ? "language_model" : "model", hunyuan_vl_text);
  Config vision = c.section("vision_config").with(vision_aliases);
  vision.consume("model_type");
  vision.ignore("text_hidden_size", "The tower has the text model's width.");
  b.tower(Tower::vision, bare ? "vision_tower" : "vit", [&] { tower(vision, b, bare ? names_bare : names_whole, out.hidden); });
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) { outer_language_model_head(c, b, m, true); }

constexpr Architecture text_classes[] = {{"HunYuanVLTextModel", Head::none, ""}};
constexpr Architecture vision_classes[] = {{"HunYuanVLVisionTransformer", Head::none, ""}};

}  // namespace

extern const Family hunyuan_vl{
    .model_type = "hunyuan_vl",
    .summary = "Vision-language model: Hunyuan with a vision encoder; the text model's head_dim is required.",
    .classes = {"HunYuanVL", heads::conditional | heads::base, ""},
    .backbone = backbone,
    .head = head,
    .cache = caches::of_text_model,
};
extern const Family hunyuan_vl_text{
    .model_type = "hunyuan_vl_text",
    .summary = "Text model of Hunyuan-VL: dense Hunyuan with tied embeddings.",
    .classes = {.listed = text_classes},
    .aliases = text_aliases,
    .backbone = text_backbone,
    .cache = caches::all_tokens,
};
extern const Family hunyuan_vl_vision{
    .model_type = "hunyuan_vl_vision",
    .summary = "Vision encoder of Hunyuan-VL.",
    .classes = {.listed = vision_classes},
    .aliases = vision_aliases,
    .backbone = vision_backbone,
};

}  // namespace param_ledger
