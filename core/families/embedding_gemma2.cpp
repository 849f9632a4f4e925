// EmbeddingGemma 2: Gemma 4's layers without causal masking, with a per-layer input from the embedding. Towers for images and audio are
// optional. Source: transformers, models/embedding_gemma2.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/gemma.hpp"

namespace param_ledger {

extern const Family embedding_gemma2_text;

namespace {

constexpr std::string_view kinds_of_layers[] = {"sliding_attention", "full_attention"};
constexpr std::string_view overridden[] = {"head_dim", "num_key_value_heads"};

std::vector<std::string_view> kinds_of(Config c, Expr n_layers) {
  const Count every = c.integer("sliding_window_pattern", attribute.or_else(c.literal(6)), 1).decide();
  auto kinds = layer_kinds(c, "layer_types", n_layers, kinds_of_layers,
                           [&](std::uint64_t i) { return (i + 1) % every == 0 ? "full_attention" : "sliding_attention"; });
  if (!kinds.empty()) kinds.back() = "full_attention";  // transformers always gives the last layer full attention
  return kinds;
}

BackboneOutput text_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {512, 2048, 24, 262144, 4});
  const Expr n_kv = c.integer("num_key_value_heads", 2), h = c.integer("head_dim", 256);
  const bool bias = c.flag("attention_bias", false);
  const Expr width = c.integer("hidden_size_per_layer_input", 512), out = c.integer("embedding_dim", 768);
  const auto kinds = kinds_of(c, s.n_layers);
  const Attention sliding{.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias};
  Attention windowed = sliding, full = sliding;
  if (const LayerOverrides own{c, s.n_layers, overridden}) {
    windowed.head_dim = own.of(kinds, "sliding_attention", "head_dim", h, "h_s");
    windowed.kv_heads = own.of(kinds, "sliding_attention", "num_key_value_heads", n_kv, "n_s");
    full.head_dim = own.of(kinds, "full_attention", "head_dim", h, "h_g");
    full.kv_heads = own.of(kinds, "full_attention", "num_key_value_heads", n_kv, "n_g");
  } else {
    full.head_dim = c.integer("global_head_dim", attribute.or_else(c.literal(512)));
    full.kv_heads = c.integer("num_global_key_value_heads", attribute.or_else(c.literal(1)));
  }
  const Split layers = split(c, s.n_layers, "num_full_attention_layers", "L_a", "Layers with full attention.",
                             [&](std::size_t i) { return kinds[i] == "full_attention"; });
  const LayerInput input{.hidden = s.d, .n_layers = s.n_layers, .vocabulary = {}, .width = width};
  const auto attention_of = [&](const Attention& a) {
    attention_queries(b, "self_attn", a);
    attention_keys(b, "self_attn", a);
  };

  const BackboneOutput m = decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      b.part(Part::norm, [&] { b.buffer("layer_scalar", {c.literal(1)}); });
      rms_norm(b, "input_layernorm", s.d);
    });
    b.repeat("layers", layers.out, [&] { attention_of(windowed); });
    b.repeat("layers", layers.in, [&] { attention_of(full); });
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "post_attention_layernorm", s.d);
      rms_norm(b, "pre_feedforward_layernorm", s.d);
      gated_mlp(b, "mlp", s.d, s.f);
      rms_norm(b, "post_feedforward_layernorm", s.d);
      b.scope("ple_block", [&] { layer_input(b, input); });
    });
  });
  b.scope("ple", [&] { layer_input_projection(b, input); });
  b.part(Part::output_head, [&] { linear(b, "embedding_projection", s.d, out); });
  return m;
}

/// If the configuration has the section, records a tower of the section's model type and its projection to the text model's width.
void tower(Config c, Builder& b, Tower sense, Text section, Text name, Text type, Text projection, Expr d) {
  const Json given = c.peek(section);
  if (!given || given.is_null()) return;
  Config its = c.section(section);
  BackboneOutput out;
  b.tower(sense, name, [&] { out = nested_auto(its, b, "", type); });
  const Expr width = its.integer("output_proj_dims", attribute.or_else(out.hidden));
  b.tower(Tower::projector, projection, [&] { linear(b, "embedding_projection", width, d); });
}

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput out = nested(c.section("text_config"), b, "language_model", embedding_gemma2_text);
  tower(c, b, Tower::vision, "vision_config", "vision_tower", "gemma4_vision", "embed_vision", out.hidden);
  tower(c, b, Tower::audio, "audio_config", "audio_tower", "gemma4_audio", "embed_audio", out.hidden);
  return out;
}

constexpr Architecture classes[] = {{"EmbeddingGemma2Model", Head::none, ""}};
constexpr Architecture text_classes[] = {{"EmbeddingGemma2TextModel", Head::none, ""}};

}  // namespace

extern const Family embedding_gemma2{
    .model_type = "embedding_gemma2",
    .summary = "Multimodal embeddings: Gemma 4 as a bidirectional encoder, with optional vision and audio encoders.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family embedding_gemma2_text{
    .model_type = "embedding_gemma2_text",
    .summary = "Gemma 4 as a bidirectional encoder, with per-layer input embeddings.",
    .classes = {.listed = text_classes},
    .backbone = text_backbone,
};

}  // namespace param_ledger
