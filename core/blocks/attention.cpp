#include "core/blocks/attention.hpp"

namespace param_ledger {

namespace {

void head_norm(Builder& b, const Attention& a, std::string_view name, Expr heads, Expr head_dim, Expr width) {
  switch (a.head_norms) {
    case HeadNorms::none: break;
    case HeadNorms::per_head: norm(b, a.head_norm_kind, name, head_dim); break;
    case HeadNorms::whole: norm(b, a.head_norm_kind, name, width); break;
    case HeadNorms::each: b.scope(Part::norm, name, [&] { b.parameter("weight", {heads, head_dim}); }); break;
  }
}

}  // namespace

void attention(Builder& b, std::string_view name, const Attention& a) {
  const bool shares = !a.head_dim;
  const Expr head_dim = shares ? floor_divide(a.hidden, a.heads) : a.head_dim;
  const Expr kv_heads = a.kv_heads ? a.kv_heads : a.heads;
  if (shares && a.even_share) require_multiple(a.hidden, a.heads);
  if (a.kv_heads) require_positive(a.kv_heads);
  if (a.scaled_by_head_dim) require_positive(head_dim);
  const Expr q_width = shares ? a.hidden : a.heads * head_dim, kv_width = a.kv_heads ? a.kv_heads * head_dim : q_width;
  const Expr q_rows = a.output_gate ? 2 * q_width : q_width;
  b.scope(Part::attention, name, [&] {
    if (!a.fused.empty()) {
      linear(b, a.fused, a.hidden, a.kv_heads || a.output_gate ? q_rows + 2 * kv_width : 3 * q_width, a.qkv_bias);
    } else {
      linear(b, a.q, a.hidden, q_rows, a.qkv_bias);
      linear(b, a.k, a.hidden, kv_width, a.qkv_bias);
      linear(b, a.v, a.hidden, kv_width, a.qkv_bias);
    }
    linear(b, a.o, a.output_from ? a.output_from : q_width, a.output ? a.output : a.hidden, a.output_bias);
    if (!a.gate.empty()) linear(b, a.gate, a.hidden, q_width);
    if (a.sinks) b.parameter(a.sinks_name, {a.heads});
    head_norm(b, a, a.q_norm, a.heads, head_dim, q_width);
    head_norm(b, a, a.k_norm, kv_heads, head_dim, kv_width);
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
  const Expr rope_dim = c.integer("qk_rope_head_dim", defaults.rope_dim);
  const Expr value_dim =
      defaults.value_dim > 0 ? c.integer("v_head_dim", defaults.value_dim) : c.integer("v_head_dim", floor_divide(hidden, heads));
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
