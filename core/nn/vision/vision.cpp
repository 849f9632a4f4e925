#include "core/nn/vision/vision.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"
#include "core/nn/nested.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

Image image_fields(Config c, std::uint64_t side, std::uint64_t patch) {
  return {c.integer("num_channels", 3), c.integer("image_size", side), c.integer("patch_size", patch)};
}

VisionLayers llama_named_layers(bool attention_bias) {
  return {.attention = {.qkv_bias = attention_bias, .output_bias = attention_bias},
          .floored = true,
          .norm1 = "input_layernorm",
          .norm2 = "post_attention_layernorm"};
}

VisionLayers vision_fields(Config c, const VisionDefaults& defaults, VisionLayers m) {
  m.attention.hidden = c.integer("hidden_size", defaults.hidden);
  m.inner = c.integer("intermediate_size", defaults.inner);
  m.n_layers = c.integer("num_hidden_layers", defaults.layers);
  m.attention.heads = c.integer("num_attention_heads", defaults.heads, 1);
  if (m.floored) m.attention.head_dim = floor_divide(m.attention.hidden, m.attention.heads);
  return m;
}

void vision_layers(Builder& b, const VisionLayers& m) {
  const Expr d = m.attention.hidden;
  b.repeat(m.layers, all(m.n_layers), [&] {
    norm(b, m.norm, m.norm1, d);
    attention(b, m.attention_name, m.attention);
    if (!m.scale1.empty()) b.part(Part::attention, [&] { layer_scale(b, m.scale1, d); });
    norm(b, m.norm, m.norm2, d);
    if (m.fused)
      fused_gated_mlp(b, m.mlp_name, d, m.inner, m.mlp_bias, m.up, m.down);
    else if (m.gated)
      gated_mlp(b, m.mlp_name, d, m.inner, m.mlp_bias);
    else if (m.feed_forward)
      mlp(b, m.mlp_name, d, m.inner, m.mlp_bias, m.up, m.down);
    if (!m.scale2.empty()) b.part(Part::feed_forward, [&] { layer_scale(b, m.scale2, d); });
    if (m.more != nullptr) m.more(b, m);
  });
}

BackboneOutput clip_vision(Config c, Builder& b, const VisionDefaults& defaults) {
  const VisionLayers m = vision_fields(c, defaults);
  const Expr d = m.attention.hidden;
  const Image image = image_fields(c, defaults.side, defaults.patch);
  require_multiple(d, m.attention.heads);
  b.scope(Part::embedding, "embeddings", [&] {
    b.parameter("class_embedding", {d});
    patch_embedding(b, "patch_embedding", image.channels, d, image.patch, false);
    record_block(b, {Mechanism::patch_embedding}, "patch_embedding");
    embedding(b, "position_embedding", image.patches() + 1, d, TensorRole::position_embedding);
  });
  layer_norm(b, "pre_layrnorm", d);  // transformers misspells this name
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "post_layernorm", d);
  return {.hidden = d};
}

VisionLayers siglip_encoder(Config c, Builder& b, const VisionDefaults& defaults) {
  const VisionLayers m = vision_fields(c, defaults);
  const Expr d = m.attention.hidden;
  const Image image = image_fields(c, defaults.side, defaults.patch);
  b.scope(Part::embedding, "embeddings", [&] {
    patch_embedding(b, "patch_embedding", image.channels, d, image.patch);
    record_block(b, {Mechanism::patch_embedding}, "patch_embedding");
    embedding(b, "position_embedding", image.patches(), d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  return m;
}

void attention_pool(Builder& b, Text name, const VisionLayers& m) {
  const Expr d = m.attention.hidden;
  require_multiple(d, m.attention.heads);
  b.scope(Part::attention, name, [&] {
    const Expr one = b.pool().literal(1);
    b.parameter("probe", {one, one, d});
    multihead_attention(b, "attention", d);
    layer_norm(b, "layernorm", d);
    mlp(b, "mlp", d, m.inner, true, "fc1", "fc2");
  });
}

BackboneOutput pixtral_vision(Config c, Builder& b, std::uint64_t default_patch) {
  const VisionLayers m = vision_fields(c, {1024, 4096, 24, 16},
                                       {.attention = {.even_share = false},
                                        .attention_name = "attention",
                                        .mlp_name = "feed_forward",
                                        .norm1 = "attention_norm",
                                        .norm2 = "ffn_norm",
                                        .norm = Norm::rms,
                                        .gated = true,
                                        .mlp_bias = false});
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3), patch = c.integer("patch_size", default_patch);
  b.part(Part::embedding, [&] { patch_embedding(b, "patch_conv", channels, d, patch, false); });
  rms_norm(b, "ln_pre", d);
  b.scope("transformer", [&] { vision_layers(b, m); });
  return {.hidden = d};
}

BackboneOutput vision_tower(Config section, Builder& b, Text name, std::initializer_list<Text> types) {
  return nested_tower(section, b, Tower::vision, name, types);
}

BackboneOutput vision_tower_or(Config c, Builder& b, Text name, std::initializer_list<Text> types, const Family& unnamed) {
  Config vision = c.section("vision_config");
  if (is_given(c, "vision_config")) return vision_tower(vision, b, name, types);
  BackboneOutput out;
  b.tower(Tower::vision, name, [&] { out = nested(vision, b, "", unnamed); });
  return out;
}

BackboneOutput text_beside_vision(Config section, Builder& b, Text name, Text fallback) {
  constexpr std::string_view table = "embed_tokens.weight";
  const BackboneOutput out = nested_auto(section, b, name, fallback);
  const std::string_view found = out.embedding ? std::string_view(b.row(out.embedding).name) : std::string_view{};
  if (found.size() < table.size() || found.substr(found.size() - table.size()) != table)
    section.refuse(ErrorCode::unsupported, "model_type", "is not a text model that can be combined with a vision model.");
  return out;
}

Expr feature_width(Config c, Expr width, std::uint64_t fallback) {
  const Json given = c.peek("vision_feature_layer");
  if (given.is(Json::Type::integer) || (!given && fallback == 1)) {
    c.consume("vision_feature_layer");
    return width;
  }
  const auto layers = c.integers("vision_feature_layer");
  if (given && !layers) c.refuse(ErrorCode::wrong_type, "vision_feature_layer", "must be an integer or a list of integers.");
  return c.count("num_feature_layers", "L_f", "Vision layers whose outputs are concatenated.", layers ? layers->size() : fallback) * width;
}

void two_layers(Builder& b, Expr in, Expr inner, Expr out, bool bias) {
  linear(b, "linear_1", in, inner, bias);
  linear(b, "linear_2", inner, out, bias);
}

Expr pixel_shuffle_side(Config c) {
  constexpr double half = 0.5, least = 1e-6;
  const double ratio = c.number("downsample_ratio", half);
  if (!(ratio >= least)) c.refuse(ErrorCode::out_of_range, "downsample_ratio", "must be more than 0.");
  return c.count("downsample_side", "s", "Patches along a side that are merged into one token: 1 ÷ downsample_ratio, rounded down.",
                 static_cast<std::uint64_t>(1 / ratio));
}

}  // namespace param_ledger
