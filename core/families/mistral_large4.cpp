// Mistral Large 4: latent attention, mixtures of experts, and Pixtral's vision tower. Fields select which layers have an indexer, have no
// RoPE part, or reuse the keys and values of an earlier layer. Most tensors have their published names. Source: transformers,
// models/mistral_large4.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/indexer.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

/// The module names that differ between files. Files of the text model alone have transformers' names, and files of the model with vision
/// the published ones.
struct Names {
  Text output = "o_proj";
  GatedNames feed_forward = {};
};
constexpr Names alone{}, beside_vision{"wo", {"w1", "w3", "w2"}};

/// Records scalable softmax: a learned scale and bias for the scores of each head.
void score_scales(Builder& b, Text name, Expr heads) {
  b.scope(name, [&] {
    for (const Text tensor : {"s", "b"}) b.parameter(tensor, {heads});
  });
}

/// The layers with their own keys and values: those for which kv_source_layers does not refer to an earlier layer.
IndexSet layers_with_own(Config c, Expr n_layers) {
  const auto sources = c.integers("kv_source_layers");
  if (!sources) return all(n_layers);
  c.require_length("kv_source_layers", sources->size(), n_layers);
  for (std::size_t i = 0; i < sources->size(); ++i) {
    const std::int64_t source = (*sources)[i];
    if (source < 0 || source > static_cast<std::int64_t>(i) || (*sources)[static_cast<std::size_t>(source)] != source)
      c.refuse(ErrorCode::out_of_range, "kv_source_layers", "must name, for each layer, that layer or an earlier one with its own keys.");
  }
  return layers_where(c, n_layers, "num_layers_with_keys", "L_k", "Layers with their own keys and values.",
                      [&](std::size_t i) { return (*sources)[i] == static_cast<std::int64_t>(i); });
}

/// Divides layers into those with and without a RoPE part. In no_rope_layers, 0 marks a layer without one. If that list is missing, every
/// no_rope_layer_interval-th layer has none.
Split rotary_layers(Config c, Expr n_layers) {
  const auto list = c.integers("no_rope_layers");
  const Count every = c.integer("no_rope_layer_interval", attribute.or_else(c.literal(4)), 1).decide();
  if (list) c.require_length("no_rope_layers", list->size(), n_layers);
  return split(c, n_layers, "num_rotary_layers", "L_r", "Layers with RoPE.",
               [&](std::size_t i) { return list ? (*list)[i] != 0 : (i + 1) % every != 0; });
}

IndexSet both(Config c, Expr n_layers, const IndexSet& a, const IndexSet& z, Text name, Text symbol, Text meaning) {
  return layers_where(c, n_layers, name, symbol, meaning,
                      [&](std::size_t i) { return contains(a.runs.span(), i) && contains(z.runs.span(), i); });
}

void attention_layers(Config c, Builder& b, const DecoderSizes& s, const Names& names) {
  const Expr rank = c.integer("kv_lora_rank", 512), rope = c.integer("qk_rope_head_dim", 64), nope = c.integer("qk_nope_head_dim", 64);
  const Expr value = c.integer("v_head_dim", 128), heads = c.integer("index_n_heads", 32), h = c.integer("index_head_dim", 128);
  require_positive(c.integer("num_key_value_heads", 64));
  const bool bias = c.flag("attention_bias", false);
  if (c.has("partial_rotary_factor") || c.peek("rope_parameters")["partial_rotary_factor"])
    c.refuse(ErrorCode::unsupported, "rope_parameters", "must not have a partial_rotary_factor: a buffer would have another size.");
  const IndexSet own = layers_with_own(c, s.n_layers), indexed = indexed_layers(c, s.n_layers);
  const Split rotary = rotary_layers(c, s.n_layers);
  const auto part = [&](const IndexSet& layers, auto body) {
    b.repeat("layers", layers, [&] { b.scope(Part::attention, "attention", body); });
  };
  part(all(s.n_layers), [&] {
    require_positive(nope + rope);
    linear(b, "wq", s.d, s.n * (nope + rope), false, TensorRole::query);
    linear(b, names.output, s.n * value, s.d, bias, TensorRole::output);
    score_scales(b, "ssmax_scaling", s.n);
  });
  part(own, [&] { rms_norm(b, "kv_a_norm", rank); });
  part(both(c, s.n_layers, own, rotary.in, "num_rotary_layers_with_keys", "L_rk", "Layers with RoPE and their own keys."),
       [&] { linear(b, "wkv_a_with_mqa", s.d, rank + rope, bias, TensorRole::key_value_down); });
  part(both(c, s.n_layers, own, rotary.out, "num_plain_layers_with_keys", "L_pk", "Layers without RoPE and with their own keys."),
       [&] { linear(b, "wkv_a_with_mqa", s.d, rank, bias, TensorRole::key_value_down); });
  part(rotary.in, [&] { linear(b, "wkv_b", rank, s.n * (nope + value), false, TensorRole::key_value_up); });
  part(rotary.out, [&] { linear(b, "wkv_b", rank, s.n * ((nope + rope) + value), false, TensorRole::key_value_up); });
  part(indexed, [&] {
    require_positive(h);
    b.scope("indexer", [&] {
      linear(b, "wq_b", s.d, heads * h);
      linear(b, "wk", s.d, h);
      layer_norm(b, "k_norm", h);
      linear(b, "weights_proj", s.d, heads);
      layer_norm(b, "q_input_norm", s.d);
      score_scales(b, "ssmax_scaling", heads);
    });
  });
}

/// Records the buffer of scales for RoPE's frequencies.
void frequency_scales(Config c, Builder& b, Text name) {
  const Expr rope = c.integer("qk_rope_head_dim", 64);
  if (equal(rope, 1)) c.refuse(ErrorCode::out_of_range, "qk_rope_head_dim", "must not be 1, because YaRN derives no frequency from it.");
  b.part(Part::embedding, [&] { b.buffer(name, {ceil_divide(rope, c.literal(2))}); });
}

/// Records `layers` and the final norm.
void layers(Config c, Builder& b, const DecoderSizes& s, const Names& names) {
  const Mixture m = mixture_fields(c, s.d, {.count = 128, .active = 4, .inner = 6144, .shared = 1},
                                   {.gate = "w1", .up = "w3", .down = "w2", .shared_names = names.feed_forward});
  const Split sparse = listed_sparse_layers(c, s.n_layers, c.integer("first_k_dense_replace", 1));
  b.repeat("layers", all(s.n_layers), [&] {
    for (const Text name : {"attention_norm", "ffn_norm"}) rms_norm(b, name, s.d);
  });
  attention_layers(c, b, s, names);
  b.repeat("layers", sparse.out, [&] { gated_mlp(b, "feed_forward", s.d, s.f, false, names.feed_forward); });
  b.repeat("layers", sparse.in, [&] { mixture(b, "", m); });
  rms_norm(b, "norm", s.d);
}

DecoderSizes text_sizes(Config c) { return decoder_sizes(c, {6144, 24576, 72, 204800, 64}); }

BackboneOutput text_backbone(Config c, Builder& b) {
  const DecoderSizes s = text_sizes(c);
  const Tensor words = embedding(b, "embed_tokens", s.vocab, s.d, TensorRole::token_embedding);
  layers(c, b, s, alone);
  frequency_scales(c, b, "rotary_emb.alpha");
  return {.hidden = s.d, .embedding = words};
}

constexpr Alias text_aliases[] = {{"num_local_experts", "n_routed_experts"}, {"num_experts", "n_routed_experts"}};

/// Records Pixtral's vision tower with the publisher's names. `said`: whether there is a vision_config, which determines the defaults.
/// Returns the tower's width.
Expr vision(Config c, Builder& b, bool said) {
  const VisionLayers m = vision_fields(c, said ? VisionDefaults{1024, 4096, 24, 16} : VisionDefaults{2048, 6144, 30, 16});
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3);
  const Expr patch = c.integer("patch_size", said ? std::uint64_t{16} : std::uint64_t{14});
  b.part(Part::embedding, [&] { patch_embedding(b, "patch_conv", channels, d, patch, false); });
  rms_norm(b, "ln_pre", d);
  b.repeat("transformer.layers", all(m.n_layers), [&] {
    if (!is_multiple(d, 2 * m.attention.heads))
      c.refuse(ErrorCode::not_divisible, "hidden_size",
               "must be a multiple of twice num_attention_heads: files store queries and keys in pairs.", Refused::unwritable);
    rms_norm(b, "attention_norm", d);
    attention(b, "attention", {.hidden = d, .heads = m.attention.heads, .even_share = false, .q = "wq", .k = "wk", .v = "wv", .o = "wo"});
    rms_norm(b, "ffn_norm", d);
    gated_mlp(b, "feed_forward", d, m.inner, false, {"w1", "w3", "w2"});
  });
  return d;
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none, bias = c.flag("multimodal_projector_bias", false);
  Config seen = c.section("vision_config");
  Config text = c.section("text_config").with(text_aliases);
  const bool said = is_given(c, "vision_config");
  if (said) {
    require_type(seen, "pixtral");
    seen.consume("model_type");
  }
  text.consume("model_type");
  Expr width;
  b.tower(Tower::vision, bare ? "vision_tower" : "vision_encoder", [&] { width = vision(seen, b, said); });
  const DecoderSizes s = text_sizes(text);
  const Expr joined = power(c.integer("spatial_merge_size", 2), 2) * width, features = feature_width(c, width);
  Tensor words;
  b.scope(bare ? "language_model" : "", [&] {
    words = embedding(b, bare ? "embed_tokens" : "tok_embeddings", s.vocab, s.d);
    layers(text, b, s, beside_vision);
    frequency_scales(text, b, bare ? "rotary_emb.alpha" : "lerope.alpha");
  });
  b.tower(Tower::projector, bare ? "multi_modal_projector" : "", [&] {
    rms_norm(b, bare ? "norm" : "pre_mm_projector_norm", width);
    linear(b, "patch_merger.merging_layer", joined, width);
    linear(b, bare ? "linear_1" : "vision_language_adapter.w_in", features, s.d, bias);
    linear(b, bare ? "linear_2" : "vision_language_adapter.w_out", s.d, s.d, bias);
  });
  return {.hidden = s.d, .embedding = words, .language_model = "output"};
}

constexpr Architecture text_classes[] = {{"MistralLarge4TextModel", Head::none, ""}};

}  // namespace

extern const Family mistral_large4{
    .model_type = "mistral_large4",
    .summary = "Vision-language model: MLA, mixture of experts and Pixtral's vision encoder.",
    .classes = {"MistralLarge4", heads::conditional | heads::base, ""},
    .backbone = backbone,
};
extern const Family mistral_large4_text{
    .model_type = "mistral_large4_text",
    .summary = "Text model of Mistral Large 4: MLA and a mixture of experts.",
    .classes = {.listed = text_classes},
    .aliases = text_aliases,
    .backbone = text_backbone,
};

}  // namespace param_ledger
