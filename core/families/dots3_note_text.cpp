// dots.note's text model: latent attention with a gate per head and a norm on the RoPE part of the keys. Layers with a sliding window have
// attention sizes of their own. By default, all other layers have an indexer, and all layers except the first have routed and shared
// experts. Source: transformers, models/dots3_note.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Dots3NoteForCausalLM", Head::causal_lm, "model"}, {"Dots3NoteTextModel", Head::none, ""}};

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"},
                             {"moe_shared_expert_intermediate_size", "shared_experts_intermediate_size"}};
constexpr std::string_view kinds_of_layers[] = {"indexed_attention", "sliding_attention", "full_attention"};

/// Throws for expert groups that transformers rejects.
void check_groups(Config c, const Mixture& m) {
  const Expr groups = c.integer("n_group", 1, 1), used = c.integer("topk_group", 1, 1);
  require_multiple(m.count, groups);
  if (m.count.decide() < 2 * groups.decide() || used.decide() > groups.decide())
    c.refuse(ErrorCode::inconsistent, "n_group", "must leave at least two experts per group, and topk_group must not exceed it.");
}

/// The sizes of attention in one kind of layer.
struct Dimensions {
  Expr heads, kv_heads, head_dim, q_rank, kv_rank, nope_dim, rope_dim, value_dim;
};

/// The attention sizes of layers with a sliding window: from fields of their own, or from per_layer_config, which transformers writes
/// instead.
Dimensions sliding_dimensions(Config c, Expr n_layers, const std::vector<std::string_view>& kinds, const Dimensions& full) {
  static constexpr std::string_view fields[] = {"num_attention_heads", "num_key_value_heads", "head_dim",         "q_lora_rank",
                                                "kv_lora_rank",        "qk_nope_head_dim",    "qk_rope_head_dim", "v_head_dim"};
  if (const LayerOverrides own{c, n_layers, fields}) {
    const auto of = [&](Text field, Expr otherwise, Text symbol) {
      for (const Text kind : {"indexed_attention", "full_attention"})
        if (own.of(kinds, kind, field, otherwise, symbol).decide() != otherwise.decide())
          c.refuse(ErrorCode::unsupported, "per_layer_config", "may only change layers with a sliding window.", Refused::per_layer_config);
      return own.of(kinds, "sliding_attention", field, otherwise, symbol);
    };
    return {.heads = of("num_attention_heads", full.heads, "n_w"),
            .kv_heads = of("num_key_value_heads", full.kv_heads, "n_wkv"),
            .head_dim = of("head_dim", full.head_dim, "h_w"),
            .q_rank = of("q_lora_rank", full.q_rank, "r_wq"),
            .kv_rank = of("kv_lora_rank", full.kv_rank, "r_wkv"),
            .nope_dim = of("qk_nope_head_dim", full.nope_dim, "h_wnope"),
            .rope_dim = of("qk_rope_head_dim", full.rope_dim, "h_wrope"),
            .value_dim = of("v_head_dim", full.value_dim, "h_wv")};
  }
  const Expr h = c.integer("swa_head_dim", attribute.or_else(c.literal(256))),
             h_nope = c.integer("swa_qk_nope_head_dim", attribute.or_else(c.literal(192)));
  return {.heads = c.integer("swa_num_attention_heads", attribute.or_else(c.literal(64)), 1),
          .kv_heads = c.integer("swa_num_key_value_heads", attribute.or_else(c.literal(64))),
          .head_dim = h,
          .q_rank = c.integer("swa_q_lora_rank", attribute.or_else(c.literal(1024))),
          .kv_rank = c.integer("swa_kv_lora_rank", attribute.or_else(c.literal(1024))),
          .nope_dim = h_nope,
          .rope_dim = c.integer("swa_qk_rope_head_dim", attribute.or_else(h - h_nope)),
          .value_dim = c.integer("swa_v_head_dim", attribute.or_else(c.literal(128)))};
}

/// The layers with an indexer. With per_layer_config and without use_dsa, they are those of kind indexed_attention. Otherwise use_dsa
/// selects all layers without a sliding window, or none.
IndexSet indexed_layers(Config c, Expr n_layers, const std::vector<std::string_view>& kinds) {
  const bool as_listed = c.has("per_layer_config") && !c.has("use_dsa");
  const bool wanted = as_listed || c.flag("use_dsa", true);
  return layers_where(c, n_layers, "num_indexers", "L_i", "Layers with an indexer.", [&](std::size_t i) {
    return wanted && kinds[i] != "sliding_attention" && (!as_listed || kinds[i] == "indexed_attention");
  });
}

void gated_latent_attention(Builder& b, const LatentAttention& a) {
  latent_attention(b, "self_attn", a);
  b.scope(Part::attention, "self_attn", [&] {
    rms_norm(b, "k_rope_only_layernorm", a.rope_dim);
    linear(b, "g_proj", a.hidden, a.heads, false, TensorRole::attention_gate);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {5120, 13824, 46, 152064, 128});
  const Expr n_kv = c.integer("num_key_value_heads", 128), h = c.integer("head_dim", 256);
  const LatentAttention full = latent_attention_fields(c, s.d, s.n, {.q_rank = 1024, .compressed = true});
  const Indexer index{.heads = c.integer("index_n_heads", 64), .head_dim = c.integer("index_head_dim", 128), .float32 = true};
  const bool windows = c.flag("use_sliding_window", true);
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers, [&](std::size_t i) {
    return windows && i >= 2 && i % 4 != 1 ? "sliding_attention" : "indexed_attention";
  });
  const Split layers = split(c, s.n_layers, "num_sliding_layers", "L_w", "Layers with a sliding window.",
                             [&](std::size_t i) { return kinds[i] == "sliding_attention"; });
  const IndexSet indexed = indexed_layers(c, s.n_layers, kinds);
  const Dimensions w =
      sliding_dimensions(c, s.n_layers, kinds, {s.n, n_kv, h, *full.q_rank, full.kv_rank, full.nope_dim, full.rope_dim, full.value_dim});
  const LatentAttention sliding{.hidden = s.d,
                                .heads = w.heads,
                                .q_rank = w.q_rank,
                                .kv_rank = w.kv_rank,
                                .nope_dim = w.nope_dim,
                                .rope_dim = w.rope_dim,
                                .value_dim = w.value_dim,
                                .bias = full.bias};
  Mixture m = mixture_fields(c, s.d, {.count = 256, .active = 8, .inner = 1536}, {.correction = RouterBias::buffer});
  m.shared_count = c.integer("n_shared_experts", 1, 1);
  m.shared = m.shared_count * c.integer("shared_experts_intermediate_size", 1536);
  const Expr n_dense = c.integer("first_k_dense_replace", attribute.or_else(c.literal(1)));
  const Split mixtures = listed_sparse_layers(c, s.n_layers, stepped_sparse_layers(c, s.n_layers, n_dense));
  check_groups(c, m);

  return sparse_decoder(b, {s, {.layers = mixtures, .mixture = m, .dense = s.f}}, [&] {
    b.repeat("layers", layers.out, [&] {
      require_equal(n_kv, s.n);
      gated_latent_attention(b, full);
    });
    b.repeat("layers", indexed, [&] {
      if (full.rope_dim.decide() > index.head_dim.decide())
        c.refuse(ErrorCode::inconsistent, "qk_rope_head_dim", "must not exceed index_head_dim.");
      indexer(b, "self_attn.indexer", full, index);
    });
    b.repeat("layers", layers.in, [&] {
      require_equal(w.kv_heads, w.heads);
      require_equal(w.head_dim, w.nope_dim + w.rope_dim);
      gated_latent_attention(b, sliding);
    });
  });
}

/// Whether a layer has a sliding window in a configuration without layer_types.
bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) {
  const Json switched = c.peek("use_sliding_window");
  return (!switched || is_true(switched)) && layer >= 2 && layer % 4 != 1;
}

}  // namespace

extern const Family dots3_note_text{
    .model_type = "dots3_note_text",
    .summary = "Gated latent attention (MLA), sparse or sliding-window; mixture of experts after a dense layer.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::listed(512, slides),
};

}  // namespace param_ledger
