#include "core/blocks/attention.hpp"

namespace param_ledger {

void attention(Builder& b, std::string_view name, const Attention& a) {
  require_positive(a.kv_heads);
  if (a.scaled_by_head_dim) require_positive(a.head_dim);
  const Expr q_width = a.heads * a.head_dim, kv_width = a.kv_heads * a.head_dim;
  b.scope(Part::attention, name, [&] {
    if (!a.fused.empty()) {
      linear(b, a.fused, a.hidden, q_width + 2 * kv_width, a.qkv_bias);
    } else {
      linear(b, a.q, a.hidden, a.output_gate ? 2 * q_width : q_width, a.qkv_bias);
      linear(b, a.k, a.hidden, kv_width, a.qkv_bias);
      linear(b, a.v, a.hidden, kv_width, a.qkv_bias);
    }
    linear(b, a.o, q_width, a.output ? a.output : a.hidden, a.output_bias);
    if (a.sinks) b.parameter("sinks", {a.heads});
    if (a.head_norms == HeadNorms::none) return;
    const bool whole = a.head_norms == HeadNorms::whole;
    norm(b, a.head_norm_kind, a.q_norm, whole ? q_width : a.head_dim);
    norm(b, a.head_norm_kind, a.k_norm, whole ? kv_width : a.head_dim);
  });
}

Expr head_dim_or_share(Config c, Expr hidden, Expr heads) {
  const Expr share = floor_divide(hidden, heads), head_dim = c.integer("head_dim", share);
  return head_dim.value() == 0 ? share : head_dim;
}

LatentAttention latent_attention_fields(Config c, Expr hidden, const LatentDefaults& defaults) {
  const Expr heads = c.integer("num_attention_heads", defaults.heads);
  const std::optional<Expr> q_rank = c.optional_integer("q_lora_rank", defaults.q_rank);
  const Expr kv_rank = c.integer("kv_lora_rank", defaults.kv_rank), nope_dim = c.integer("qk_nope_head_dim", defaults.nope_dim);
  const Expr rope_dim = c.integer("qk_rope_head_dim", defaults.rope_dim), value_dim = c.integer("v_head_dim", defaults.value_dim);
  return {hidden, heads, q_rank, kv_rank, nope_dim, rope_dim, value_dim, c.flag("attention_bias", false)};
}

void latent_attention(Builder& b, std::string_view name, const LatentAttention& a) {
  const Expr head = a.nope_dim + a.rope_dim;
  require_positive(head);
  b.scope(Part::attention, name, [&] {
    if (a.q_rank) {
      linear(b, "q_a_proj", a.hidden, *a.q_rank, a.bias);
      rms_norm(b, "q_a_layernorm", *a.q_rank);
      linear(b, "q_b_proj", *a.q_rank, a.heads * head);
    } else {
      linear(b, "q_proj", a.hidden, a.heads * head);
    }
    linear(b, "kv_a_proj_with_mqa", a.hidden, a.kv_rank + a.rope_dim, a.bias);
    rms_norm(b, "kv_a_layernorm", a.kv_rank);
    linear(b, "kv_b_proj", a.kv_rank, a.heads * (a.nope_dim + a.value_dim));
    linear(b, "o_proj", a.heads * a.value_dim, a.hidden, a.bias);
  });
}

}  // namespace param_ledger
