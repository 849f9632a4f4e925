// GLM-5-Next: Kimi delta attention and, by default in every fourth layer, latent attention with an indexer; hyper-connections, mixtures of
// experts (by default in all layers except the first three), and GLM-OCR's vision tower. Layers can reuse another layer's indexer. Source:
// transformers, models/glm5_next.

#include "core/builder/row_names.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/hyper_connection.hpp"
#include "core/nn/text/indexer.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

extern const Family glm5_next_text, glm5_next_vision;

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};
constexpr std::string_view kinds_of_layers[] = {"linear_attention", "indexed_attention", "full_attention"};

/// The sizes of linear attention. If the fields in linear_attn_config, which have other names, are given, they take precedence.
struct Linear {
  Expr heads, head_dim, kernel;
};
Linear linear_fields(Config c) {
  Config inside = c.section("linear_attn_config");
  const auto field = [&](Text name, Text outside, std::uint64_t fallback) {
    return inside.has(name) ? inside.integer(name, fallback) : c.integer(outside, fallback);
  };
  return {field("num_heads", "linear_num_heads", 64), field("head_dim", "linear_head_dim", 128),
          field("short_conv_kernel_size", "linear_conv_kernel_dim", 4)};
}

BackboneOutput text_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 12288, 45, 154880, 64});
  const Expr d = s.d;
  const LatentAttention latent = latent_attention_fields(
      c, d, s.n, {.q_rank = 1536, .kv_rank = 512, .nope_dim = 256, .rope_dim = 0, .value_dim = 256, .compressed = true});
  if (latent.rope_dim.decide() > 0) c.refuse(ErrorCode::inconsistent, "qk_rope_head_dim", "must be 0, because there is no RoPE.");
  require_equal(c.integer("num_key_value_heads", fixed_not_null(64).or_else(s.n)), s.n);
  Indexer index{c.integer("index_n_heads", 32), c.integer("index_head_dim", 128)};
  const Expr pool = c.integer("index_kpool", 16, 1), copies = c.integer("hc_mult", 4);
  const Linear linear_attention = linear_fields(c);
  const Expr h = linear_attention.head_dim, width = linear_attention.heads * h;
  const Mixture m = mixture_fields(c, d, {.count = 288, .active = 8, .inner = 2048, .shared = 1}, {.correction = RouterBias::buffer});
  const Split mixtures = listed_sparse_layers(c, s.n_layers, c.literal(3));
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers,
                                 [](std::size_t i) { return i % 4 == 3 ? "indexed_attention" : "linear_attention"; });
  const Split layers = split(c, s.n_layers, "num_linear_layers", "L_l", "Layers with linear attention.",
                             [&](std::size_t i) { return kinds[i] == "linear_attention"; });
  const auto indexers = indexer_kinds(c, s.n_layers);
  const IndexSet indexed = layers_where(c, s.n_layers, "num_indexers", "L_i", "Layers with their own indexer.",
                                        [&](std::size_t i) { return kinds[i] != "linear_attention" && indexers[i] == "full"; });

  index.reused = size_of(indexed.runs.span()) < size_of(layers.out.runs.span());
  const InBlock block(b, {.gate = Gate::clamped});
  return sparse_decoder(b, {s, {.layers = mixtures, .mixture = m, .dense = s.f}}, [&] {
    b.repeat("layers", layers.in, [&] {
      delta_attention(b, "self_attn",
                      {.hidden = d, .kernel = linear_attention.kernel, .heads = linear_attention.heads, .head_dim = h, .key_width = width});
      b.scope(Part::state_space, "self_attn", [&] {
        linear(b, "f_a_proj", d, h);
        linear(b, "f_b_proj", h, width);
        b.parameter("dt_bias", {width});
        b.parameter("A_log", {linear_attention.heads});
        linear(b, "g_a_proj", d, h);
        linear(b, "g_b_proj", h, width);
      });
    });
    b.repeat("layers", layers.out, [&] { latent_attention(b, "self_attn", latent); });
    b.repeat("layers", indexed, [&] {
      indexer(b, "self_attn.indexer", latent, index);
      b.scope(Part::attention, "self_attn.indexer", [&] {
        const InBlock block(b, {.mechanism = Mechanism::sparse_indexer, .reused = index.reused});
        b.parameter("index_kpool_compress_ape", {pool, index.head_dim});
        b.parameter("index_kpool_compress_gate", {index.head_dim, d}, StorageKind::matrix);
      });
    });
    b.repeat("layers", all(s.n_layers), [&] {
      for (const Text block : {"hc_attn_", "hc_ffn_"}) hyper_connection(b, block, d, copies, (copies + 2) * copies, 3);
    });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  b.tower(Tower::vision, "visual", [&] { nested(c.section("vision_config"), b, "", glm5_next_vision); });
  return nested(section_or_self(c, "text_config"), b, "language_model", glm5_next_text);
}

constexpr Architecture text_classes[] = {{"Glm5NextTextModel", Head::none, ""}};

}  // namespace

extern const Family glm5_next{
    .model_type = "glm5_next",
    .summary = "Vision-language model with linear and sparse attention, hyper-connections and a mixture of experts.",
    .classes = {"Glm5Next", heads::conditional | heads::base},
    .backbone = backbone,
    .predicts = {.place = PredictionLayers::Place::unknown},
};
extern const Family glm5_next_text{
    .model_type = "glm5_next_text",
    .summary = "Text model of GLM-5-Next.",
    .classes = {.listed = text_classes},
    .aliases = aliases,
    .backbone = text_backbone,
};

}  // namespace param_ledger
