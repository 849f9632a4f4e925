// Molmo 2: a vision transformer, attention pooling over the concatenated outputs of some of its layers, and a Qwen3-like text model. Files
// have the published code's tensor names. Old configurations have other names for the tower's section and for some fields. The old names of
// the fields take precedence, that of the section does not. Source: transformers, models/molmo2, conversion_mapping.py.

#include <algorithm>

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

constexpr Alias text_aliases[] = {{"qkv_bias", "attention_bias"}, {"layer_norm_eps", "rms_norm_eps"}};

/// Reads the height and width of images, from the field with the old name or else from that with the new name.
Sides image_sides(Config c) {
  for (const Text name : {"image_default_input_size", "image_size"}) {
    const Json given = c.peek(name);
    if (!given) continue;
    if (given.is_null()) break;
    const std::vector<Expr> sides = c.dimensions(name, {378, 378});
    if (sides.size() < 2) c.refuse(ErrorCode::wrong_type, name, "must contain a height and a width.");
    return {sides[0], sides[1]};
  }
  c.consume("image_size");
  return {c.literal(378), c.literal(378)};
}

/// The indices of the tower layers whose outputs are pooled. Negative indices count from the end.
std::vector<std::int64_t> pooled_layers(Config adapter) {
  const Text name = adapter.has("vit_layers") ? "vit_layers" : "vision_feature_layer";
  return adapter.integers(name).value_or(std::vector<std::int64_t>{24, 18});
}

/// Records the embeddings and the first `n_layers` layers of the vision tower. With an old configuration, the layers after the last one
/// that is pooled are not built.
void vision(Config c, Builder& b, Expr n_layers) {
  const Expr d = c.integer("hidden_size", 1152), f = c.integer("intermediate_size", 4304);
  const Expr n = c.integer("num_attention_heads", 16, 1), n_kv = c.integer("num_key_value_heads", 16), h = c.integer("head_dim", 72);
  const bool bias = c.flag("attention_bias", true);
  const Sides image = image_sides(c);
  const Expr patch = c.integer("image_patch_size", attribute.or_else(c.integer("patch_size", 14)));
  const Expr pixels = c.integer("num_channels", 3) * power(patch, 2);
  const Expr patches = floor_divide(image.height, patch) * floor_divide(image.width, patch);
  const Expr positions = c.has("image_num_pos") ? c.integer("image_num_pos", patches) : c.integer("num_position_embeddings", patches);
  b.part(Part::embedding, [&] {
    b.parameter("positional_embedding", {positions, d}, StorageKind::table);
    linear(b, "patch_embedding", pixels, d, true);
  });
  vision_layers(b, {.attention = {.hidden = d,
                                  .heads = n,
                                  .kv_heads = n_kv,
                                  .head_dim = h,
                                  .qkv_bias = bias,
                                  .output_bias = bias,
                                  .q = "wq",
                                  .k = "wk",
                                  .v = "wv",
                                  .o = "wo"},
                    .inner = f,
                    .n_layers = n_layers,
                    .layers = "transformer.resblocks",
                    .attention_name = "attention",
                    .mlp_name = "feed_forward",
                    .norm1 = "attention_norm",
                    .norm2 = "ffn_norm",
                    .up = "w1",
                    .down = "w2"});
}

void adapter(Config c, Builder& b, Expr n_pooled) {
  const Expr d = c.integer("hidden_size", 1152), n = c.integer("num_attention_heads", 16, 1),
             n_kv = c.integer("num_key_value_heads", 16, 1);
  const Expr h = c.integer("head_dim", 72), f = c.integer("intermediate_size", 18944), out = c.integer("text_hidden_size", 3584);
  const bool bias = c.flag("attention_bias", true), mlp_bias = c.flag("mlp_bias", false);
  require_positive(h);
  const Expr in = n_pooled.decide() == 0 ? d : n_pooled * d;  // transformers treats an empty list of layers like a list with one layer
  b.scope("image_pooling_2d", [&] {
    linear(b, "wq", in, n * h, bias, TensorRole::query);
    linear(b, "wk", in, n_kv * h, bias, TensorRole::key);
    linear(b, "wv", in, n_kv * h, bias, TensorRole::value);
    linear(b, "wo", n * h, d, bias, TensorRole::output);
  });
  b.scope("image_projector", [&] {
    linear(b, "w1", d, f, mlp_bias);
    linear(b, "w3", d, f, mlp_bias);
    linear(b, "w2", f, out);
  });
}

struct TextNames {
  Text layers, norm;
};

/// Records the text model, which is like Qwen3 with other tensor names. If qk_norm_type is "olmo", its QK-Norm is OLMo 2's.
BackboneOutput text(Config c, Builder& b, const TextNames& names) {
  static constexpr std::string_view norms[] = {"qwen3", "olmo"};
  const DecoderSizes s = decoder_sizes(c, {4096, 12288, 36, 151936, 32});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 128), more = c.integer("additional_vocab_size", 128);
  const bool bias = c.flag("attention_bias", false), whole = c.text("qk_norm_type", "qwen3", norms) == "olmo";
  // transformers has a single embedding table and saves it as two tensors with half of the rows each; the first has one row more if their
  // number is odd. In published files, the first tensor has vocab_size rows and the second has additional_vocab_size rows.
  const Expr rows = s.vocab + more, half = ceil_divide(rows, c.literal(2));
  b.scope(Part::embedding, "wte", [&] {
    b.parameter("embedding", {half, s.d}, StorageKind::table);
    b.parameter("new_embedding", {rows - half, s.d}, StorageKind::table);
  });
  b.repeat(names.layers, all(s.n_layers), [&] {
    rms_norm(b, "attn_norm", s.d);
    attention(b, "self_attn",
              {.hidden = s.d,
               .heads = s.n,
               .kv_heads = n_kv,
               .head_dim = h,
               .qkv_bias = bias,
               .head_norms = whole ? QkNorm::whole : QkNorm::per_head,
               .fused = "att_proj",
               .o = "attn_out"});
    rms_norm(b, "ff_norm", s.d);
    fused_gated_mlp(b, "mlp", s.d, s.f, false, "ff_proj", "ff_out");
  });
  rms_norm(b, names.norm, s.d);
  return {.hidden = s.d, .vocabulary = s.vocab};
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool old = is_given(c, "vit_config");
  Config vision_section = c.section(old && !is_given(c, "vision_config") ? "vit_config" : "vision_config");
  Config adapter_section = c.section("adapter_config"), text_section = c.section("text_config").with(text_aliases);
  for (ConfigReader* section : {&vision_section, &adapter_section, &text_section}) section->consume("model_type");
  if (old) c.consume("vit_config");
  const std::vector<std::int64_t> pooled = pooled_layers(adapter_section);
  Expr n_layers = vision_section.integer("num_hidden_layers", 25);
  const auto all_layers = static_cast<std::int64_t>(n_layers.decide());
  std::int64_t last = -1;
  for (const std::int64_t layer : pooled) {
    const bool counted = old ? all_layers > 0 : layer >= -all_layers && layer < all_layers;
    if (!counted) adapter_section.refuse(ErrorCode::inconsistent, "vision_feature_layer", "must be layers of the vision model.");
    if (old) last = std::max(last, (layer % all_layers + all_layers) % all_layers);
  }
  if (old)
    n_layers = c.count("num_vit_layers", "L_v", "Layers of the vision model, up to the last one that is pooled.",
                       static_cast<std::uint64_t>(last + 1));
  const Expr n_pooled = c.count("num_feature_layers", "L_f", "Vision layers whose outputs are concatenated.", pooled.size());
  b.tower(Tower::vision, "vision_backbone.image_vit", [&] { vision(vision_section, b, n_layers); });
  b.tower(Tower::projector, "vision_backbone", [&] { adapter(adapter_section, b, n_pooled); });
  BackboneOutput out;
  b.scope("transformer", [&] { out = text(text_section, b, {"blocks", "ln_f"}); });
  return out;
}

BackboneOutput text_backbone(Config c, Builder& b) { return text(c, b, {"layers", "norm"}); }

constexpr Alias own_text_aliases[] = {{"qkv_bias", "attention_bias"}};
constexpr Architecture text_classes[] = {{"Molmo2TextModel", Head::none, ""}};

}  // namespace

extern const Family molmo2{
    .model_type = "molmo2",
    .summary = "Vision-language model: a Qwen3-like decoder with attention pooling of several ViT layers.",
    .classes = {"Molmo2", heads::conditional | heads::base},
    .backbone = backbone,
};
extern const Family molmo2_text{
    .model_type = "molmo2_text",
    .summary = "Text model of Molmo 2: like Qwen3 or OLMo 2.",
    .classes = {.listed = text_classes},
    .aliases = own_text_aliases,
    .backbone = text_backbone,
};

}  // namespace param_ledger
