// GroupViT: like CLIP, with a vision transformer whose stages assign patches to groups.
// Source: transformers, models/groupvit.

#include "core/nn/vision/clip.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vit.hpp"
#include "core/nn/vision/width_multipliers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr ClipType type{.text = {256, 1024, 12, 4}, .even = false};

/// The inner widths of the MLPs that mix tokens and channels: each is the hidden size times one of the two factors in assign_mlp_ratio.
struct Ratios {
  Expr tokens, channels;
};
Ratios ratios(Config c, Expr d) {
  constexpr Text field = "assign_mlp_ratio";
  const std::vector<double> factors = numbers(c, field, {0.5, 4});
  if (factors.size() != 2) c.refuse(ErrorCode::wrong_type, field, "must be a list of two numbers, e.g. [0.5, 4].", Refused::list_length);
  return {multiplied_width(c, field, factors[0], d, "tokens_dim", "f_t"), multiplied_width(c, field, factors[1], d, "channels_dim", "f_c")};
}

struct Vision {
  VisionLayers layers;
  Ratios mixers;
};

/// Records the block that assigns a stage's patches to its groups.
void assignment(Builder& b, const Vision& m, Expr groups, Expr out) {
  const Expr d = m.layers.attention.hidden;
  layer_norm(b, "norm_tokens", d);
  b.part(Part::feed_forward, [&] {
    linear(b, "mlp_inter.fc1", groups, m.mixers.tokens, true);
    linear(b, "mlp_inter.fc2", m.mixers.tokens, out, true);
  });
  layer_norm(b, "norm_post_tokens", d);
  layer_norm(b, "norm_x", d);
  b.scope("pre_assign_attn", [&] {
    attention(b, "attn", m.layers.attention);
    layer_norm(b, "norm2", d);
    mlp(b, "mlp", d, m.layers.inner, true, "fc1", "fc2");
    layer_norm(b, "norm_post", d);
  });
  attention(b, "assign", {.hidden = d, .heads = b.pool().literal(1), .qkv_bias = true, .output_bias = true, .o = "proj"});
  layer_norm(b, "norm_new_x", d);
  mlp(b, "mlp_channels", d, m.mixers.channels, true, "fc1", "fc2");
}

Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  Vision m{vision_fields(c, {384, 1536, 12, 6}), {}};
  const Expr d = m.layers.attention.hidden;
  c.ignore("num_hidden_layers", "The number of entries in depths is used.");
  m.mixers = ratios(c, d);
  const Expr channels = c.integer("num_channels", 3);
  const Sides image = c.sides("image_size", 224), patch = c.sides("patch_size", 16);
  const std::vector<Expr> depths = c.dimensions("depths", {6, 3, 3});
  const Expr count = c.literal(depths.size());
  const std::vector<Expr> groups = stage_dimensions(c, "num_group_tokens", {64, 8, 0}, count);
  const std::vector<Expr> out = stage_dimensions(c, "num_output_groups", {64, 8, 8}, count);
  b.scope(Part::embedding, "embeddings", [&] {
    conv2d(b, "patch_embeddings.projection", channels, d, patch);
    tokens(b, "position_embeddings", area(grid(image, patch)), d, TensorRole::position_embedding);
    layer_norm(b, "layernorm", d);
  });
  for (std::size_t i = 0; i < depths.size(); ++i)
    b.scope(concat({"encoder.stages.", digits(i)}), [&] {
      m.layers.n_layers = depths[i];
      vision_layers(b, m.layers);
      if (groups[i].decide() == 0) return;
      b.part(Part::embedding, [&] { tokens(b, "group_token", groups[i], d); });
      b.scope("downsample", [&] { assignment(b, m, groups[i], out[i]); });
      if (i == 0 || out[i - 1].decide() == 0) return;
      layer_norm(b, "group_projector.0", d);
      const Expr half = floor_divide(d, c.literal(2));
      b.part(Part::feed_forward, [&] {
        linear(b, "group_projector.1.fc1", out[i - 1], half, true);
        linear(b, "group_projector.1.fc2", half, groups[i], true);
      });
    });
  layer_norm(b, "layernorm", d);
  return d;
}

BackboneOutput backbone(Config c, Builder& b) {
  Config text = section_or_legacy(c, "text_config", "text_config_dict");
  text.consume("model_type");
  Expr seen, read;
  b.scope("text_model", [&] { read = clip_text(text, b, type).hidden; });
  b.tower(Tower::vision, "vision_model", [&] { seen = vision(section_or_legacy(c, "vision_config", "vision_config_dict"), b); });
  const Expr shared = c.integer("projection_dim", 256), inner = c.integer("projection_intermediate_dim", 4096);
  b.tower(Tower::projector, "", [&] {
    const auto projection = [&](Text name, Expr in) {
      b.scope(name, [&] {
        linear(b, "0", in, inner, true);
        batch_norm(b, "1", inner);
        linear(b, "3", inner, shared, true);
      });
    };
    projection("visual_projection", seen);
    projection("text_projection", read);
    b.parameter("logit_scale", {});
  });
  return {.hidden = seen};
}

BackboneOutput vision_backbone(Config c, Builder& b) { return {.hidden = vision(c, b)}; }

constexpr Architecture text_classes[] = {{"GroupViTTextModel", Head::none, "text_model"}};
constexpr Architecture vision_classes[] = {{"GroupViTVisionModel", Head::none, "vision_model"}};
constexpr Architecture classes[] = {{"GroupViTModel", Head::none, ""}};

}  // namespace

extern const Family groupvit{
    .model_type = "groupvit",
    .summary = "Zero-shot semantic segmentation: like CLIP, with a ViT that groups patches into segments.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family groupvit_text_model{
    .model_type = "groupvit_text_model",
    .summary = "Text encoder of GroupViT.",
    .classes = {.listed = text_classes},
    .backbone = clip_text_of_type<type>,
};
extern const Family groupvit_vision_model{
    .model_type = "groupvit_vision_model",
    .summary = "Vision encoder of GroupViT.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
