// Laguna: a mixture of experts with a shared expert, by default in all layers but the first; gated attention, with a number of query heads
// that may vary between layers.
// Source: transformers, models/laguna; names as in conversion_mapping.py.

#include "core/nn/text/sparse_decoders.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Layers with the same number of query heads.
struct LayerGroup {
  Expr heads;
  IndexSet layers;
};

std::vector<LayerGroup> groups(Config c, const DecoderSizes& s) {
  constexpr Text field = "num_attention_heads_per_layer";
  const auto heads = c.integers(field);
  if (!heads) return {{s.n, all(s.n_layers)}};
  c.require_length(field, heads->size(), s.n_layers);
  std::vector<LayerGroup> out;
  for (const auto& [number, layers] : alike_layers(s.n_layers, *heads)) {
    if (number < 1) c.refuse(ErrorCode::out_of_range, field, "must contain only numbers of at least 1.");
    const auto count = static_cast<Count>(number);
    const std::string name = concat({"num_layers_of_", digits(count), "_heads"}), symbol = concat({"L_", digits(count)});
    out.push_back({count == s.n.decide() ? s.n : c.literal(count),
                   named_layers(c, s.n_layers, name, symbol,
                                "Layers with this number of query heads, as given by num_attention_heads_per_layer.", layers)});
  }
  return out;
}

/// Whether attention has one gate per head (`gating` is missing, true or "per-head"), not one for each dimension of each head.
bool gated_per_head(Config c) {
  if (c.peek("gating").is(Json::Type::string)) return c.text("gating", "per-head") == "per-head";
  return c.flag("gating", true);
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 8192, 40, 100352, 48});
  const bool bias = c.flag("attention_bias", false);
  Attention a{.hidden = s.d,
              .kv_heads = c.integer("num_key_value_heads", 8),
              .head_dim = c.integer("head_dim", 128),
              .qkv_bias = bias,
              .output_bias = bias,
              .head_norms = QkNorm::per_head,
              .gate = "g_proj",
              .gate_per_head = gated_per_head(c)};
  Mixture m = mixture_fields(
      c, s.d, {.count = 256, .active = 8, .inner = 512, .count_field = "num_experts"},
      {.correction = RouterBias::parameter, .correction_name = "experts.e_score_correction_bias", .shared_name = "shared_expert"});
  m.shared = c.integer("shared_expert_intermediate_size", 512);
  require_positive(s.n_layers);
  const Split layers = listed_sparse_layers(c, s.n_layers, dense_first(s.n_layers, c.literal(1)));
  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "input_layernorm", s.d); });
    for (const LayerGroup& group : groups(c, s)) {
      a.heads = group.heads;
      b.repeat("layers", group.layers, [&] { attention(b, "self_attn", a); });
    }
    b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, "post_attention_layernorm", s.d); });
    sparse_feed_forward(b, {.layers = layers, .mixture = m, .dense = s.f});
  });
}

}  // namespace

extern const Family laguna{
    .model_type = "laguna",
    .summary = "Gated attention; mixture of experts with a shared expert after the first layer.",
    .classes = {"Laguna", heads::decoder},
    .backbone = backbone,
    .cache = caches::listed(512),
};

}  // namespace param_ledger
