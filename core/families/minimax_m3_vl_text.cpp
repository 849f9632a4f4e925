// MiniMax-M3, text: norms on heads; an indexer chooses what the sparse attention layers see; fused feed-forward projections.
// Source: transformers, models/minimax_m3_vl.

#include "core/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"MiniMaxM3VLForCausalLM", Head::causal_lm, "model"}, {"MiniMaxM3VLTextModel", Head::none, ""}};

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};
constexpr std::string_view kinds_of_layers[] = {"full_attention", "minimax_m3_sparse", "attention"};

/// Layers whose attention is sparse: with an indexer.
IndexSet indexed_layers(Config c, Config sparse, Expr n_layers) {
  const auto flags = sparse.integers("sparse_attention_freq");
  if (flags) sparse.require_length("sparse_attention_freq", flags->size(), n_layers);
  const auto kinds = layer_kinds(c, "layer_types", n_layers, kinds_of_layers,
                                 [&](std::size_t i) { return flags && (*flags)[i] != 0 ? "minimax_m3_sparse" : "full_attention"; });
  return layers_of(c, kinds, "minimax_m3_sparse", n_layers, "num_indexed_layers", "L_i", "Layers with an indexer.");
}

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {6144, 3072, 60, 200064, 64});
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", 128);
  const Expr f_dense = c.integer("dense_intermediate_size", 12288), f_shared = c.integer("shared_intermediate_size", 3072);
  const Mixture m = mixture_fields(
      c, s.d, {.count = 128, .active = 4, .count_field = "num_local_experts"},
      {.inner = s.f, .layout = ExpertLayout::stacked, .correction = Correction::buffer, .shared = f_shared, .shared_fused = true});
  const Split layers = listed_sparse_layers(c, s.n_layers, stepped_sparse_layers(c, s.n_layers, c.literal(0)));
  // Published configurations keep the indexer's sizes apart, under other names, which win.
  Config sparse = c.section("sparse_attention_config");
  const IndexSet indexed = indexed_layers(c, sparse, s.n_layers);
  const Expr n_index = sparse.has("sparse_num_index_heads") ? sparse.integer("sparse_num_index_heads", 4) : c.integer("index_n_heads", 4);
  const Expr h_index = sparse.has("sparse_index_dim") ? sparse.integer("sparse_index_dim", 128) : c.integer("index_head_dim", 128);

  return sparse_decoder(b, {s, {.layers = layers, .mixture = m, .dense = f_dense, .dense_fused = true}}, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      attention(b, "self_attn", {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .head_norms = HeadNorms::per_head});
    });
    b.repeat("layers", indexed, [&] {
      b.scope(Part::attention, "self_attn.indexer", [&] {
        linear(b, "q_proj", s.d, n_index * h_index);
        linear(b, "k_proj", s.d, h_index);
        rms_norm(b, "q_norm", h_index);
        rms_norm(b, "k_norm", h_index);
      });
    });
  });
}

}  // namespace

extern const Family minimax_m3_vl_text{
    .model_type = "minimax_m3_vl_text",
    .summary = "Full or indexed sparse attention; dense or mixed blocks with a shared expert, projections fused.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
