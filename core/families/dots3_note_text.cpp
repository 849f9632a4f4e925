// dots.note: latent attention with a gate per head and a norm on rotary keys, of one size with an indexer and of another over a
// window; a dense first layer, then routed and shared experts.
// Source: transformers, models/dots3_note.

#include "core/families.hpp"
#include "core/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Dots3NoteForCausalLM", Head::causal_lm, "model"}, {"Dots3NoteTextModel", Head::none, ""}};

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"},
                             {"moe_shared_expert_intermediate_size", "shared_experts_intermediate_size"}};
constexpr std::string_view kinds_of_layers[] = {"indexed_attention", "sliding_attention", "full_attention"};

/// The routing groups that transformers insists on.
void check_groups(Config c, const Mixture& m) {
  const Expr groups = c.integer("n_group", 1, 1), used = c.integer("topk_group", 1, 1);
  require_multiple(m.count, groups);
  if (m.count.value() < 2 * groups.value() || used.value() > groups.value())
    c.refuse(ErrorCode::inconsistent, "n_group", "must leave two experts a group, and topk_group must not exceed it.");
}

/// Attention over a window has sizes of its own.
LatentAttention sliding_fields(Config c, Expr d, bool bias) {
  const Expr n = c.attribute("swa_num_attention_heads", c.literal(64), 1), h = c.attribute("swa_head_dim", c.literal(256));
  require_equal(c.attribute("swa_num_key_value_heads", c.literal(64)), n);
  const Expr r_q = c.attribute("swa_q_lora_rank", c.literal(1024)), r_kv = c.attribute("swa_kv_lora_rank", c.literal(1024));
  const Expr h_nope = c.attribute("swa_qk_nope_head_dim", c.literal(192)), h_v = c.attribute("swa_v_head_dim", c.literal(128));
  const Expr h_rope = c.attribute("swa_qk_rope_head_dim", h - h_nope);
  require_equal(h, h_nope + h_rope);
  return {.hidden = d, .heads = n, .q_rank = r_q, .kv_rank = r_kv, .nope_dim = h_nope, .rope_dim = h_rope, .value_dim = h_v, .bias = bias};
}

void gated_latent_attention(Builder& b, const LatentAttention& a) {
  latent_attention(b, "self_attn", a);
  b.scope(Part::attention, "self_attn", [&] {
    rms_norm(b, "k_rope_only_layernorm", a.rope_dim);
    linear(b, "g_proj", a.hidden, a.heads);
  });
}

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {5120, 13824, 46, 152064, 128});
  const Expr n_kv = c.integer("num_key_value_heads", 128);
  const LatentAttention latent = latent_attention_fields(c, s.d, s.n, {.q_rank = 1024, .compressed = true});
  const Indexer index{c.integer("index_n_heads", 64), c.integer("index_head_dim", 128)};
  const LatentAttention sliding = sliding_fields(c, s.d, latent.bias);
  const bool indexed = c.flag("use_dsa", true), windows = c.flag("use_sliding_window", true);
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers, [&](std::size_t i) {
    return windows && i >= 2 && i % 4 != 1 ? "sliding_attention" : "indexed_attention";
  });
  const Split layers = split(c, s.n_layers, "num_sliding_layers", "L_w", "Layers with a sliding window.",
                             [&](std::size_t i) { return kinds[i] == "sliding_attention"; });
  Mixture m = mixture_fields(c, s.d, {.count = 256, .active = 8, .inner = 1536}, {.correction = Correction::buffer});
  m.shared = c.integer("n_shared_experts", 1, 1) * c.integer("shared_experts_intermediate_size", 1536);
  const Split mixtures =
      listed_sparse_layers(c, s.n_layers, stepped_sparse_layers(c, s.n_layers, c.attribute("first_k_dense_replace", c.literal(1))));
  check_groups(c, m);
  if (!layers.out.empty()) require_equal(n_kv, s.n);

  return sparse_decoder(b, {s, {.layers = mixtures, .mixture = m, .dense = s.f}}, [&] {
    b.repeat("layers", layers.out, [&] {
      gated_latent_attention(b, latent);
      if (indexed) indexer(b, "self_attn.indexer", latent, index);
    });
    b.repeat("layers", layers.in, [&] { gated_latent_attention(b, sliding); });
  });
}

}  // namespace

const Family dots3_note_text{"dots3_note_text",
                             "Latent attention with gates, with an indexer or over a window; a dense first layer, then experts.",
                             {.listed = classes},
                             aliases,
                             backbone};

}  // namespace param_ledger
