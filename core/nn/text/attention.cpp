#include "core/nn/text/attention.hpp"

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/config/constraints.hpp"

namespace param_ledger {

namespace {

void head_norm(Builder& b, const Attention& a, TensorRole role, Text name, Expr heads, Expr head_dim, Expr width) {
  switch (a.head_norms) {
    case QkNorm::none: break;
    case QkNorm::per_head: norm(b, a.head_norm_kind, name, head_dim, role); break;
    case QkNorm::whole: norm(b, a.head_norm_kind, name, width, role); break;
    case QkNorm::each:
      b.part(Part::norm, [&] {
        const InBlock block(b, {Mechanism::unbiased_layer_norm});
        b.scope(role, name, [&] { b.parameter("weight", {heads, head_dim}); });
      });
      break;
  }
}

/// The sizes of attention's projections. `query`, `key` and `value` are their output widths, over all heads.
struct Widths {
  Expr kv_heads, head_dim;
  Expr query, key, value;
  Expr output;  ///< input width of the output projection
};

Widths widths_of(const Attention& a) {
  Widths out;
  const bool shares = !a.head_dim;
  out.head_dim = shares ? floor_divide(a.hidden, a.heads) : a.head_dim;
  out.kv_heads = a.kv_heads ? a.kv_heads : a.heads;
  if (shares && a.even_share) require_multiple(a.hidden, a.heads);
  if (a.kv_heads) require_positive(a.kv_heads);
  if (a.scaled_by_head_dim) require_positive(out.head_dim);
  out.query = shares ? a.hidden : a.heads * out.head_dim;
  out.key = a.kv_heads ? a.kv_heads * out.head_dim : out.query;
  out.value = a.value_dim ? out.kv_heads * a.value_dim : out.key;
  out.output = a.output_from ? a.output_from : a.value_dim ? a.heads * a.value_dim : out.query;
  return out;
}

/// Records the query, key and value projections, fused or separate.
void input_projections(Builder& b, const Attention& a, const Widths& widths, Expr source) {
  const Expr q_rows = a.output_gate ? 2 * widths.query : widths.query;
  if (a.fused.empty()) {
    linear(b, a.q.value_or("q_proj"), a.hidden, q_rows, a.qkv_bias, TensorRole::query);
    linear(b, a.k.value_or("k_proj"), source, widths.key, a.qkv_bias && a.key_bias, TensorRole::key);
    linear(b, a.v.value_or("v_proj"), source, widths.value, a.qkv_bias, TensorRole::value);
    return;
  }
  const bool alike = !a.kv_heads && !a.value_dim && !a.output_gate;
  const Expr kv_rows = a.value_dim ? widths.key + widths.value : 2 * widths.key;
  linear(b, a.fused, a.hidden, alike ? 3 * widths.query : q_rows + kv_rows, a.qkv_bias, TensorRole::query_key_value);
}

}  // namespace

void attention(Builder& b, Text name, const Attention& a) {
  const Widths widths = widths_of(a);
  const Expr source = a.memory ? a.memory : a.hidden;
  b.owned_by(a.is_cross_attention ? Owner::cross : Owner::itself, [&] {
    b.scope(Part::attention, name, [&] {
      const InBlock block(
          b,
          {.mechanism = a.output_gate ? Mechanism::gated_attention : Mechanism::attention, .heads = a.heads, .kv_heads = widths.kv_heads});
      input_projections(b, a, widths, source);
      linear(b, a.o.value_or("o_proj"), widths.output, a.output ? a.output : a.hidden, a.output_bias, TensorRole::output);
      if (!a.gate.empty()) linear(b, a.gate, a.hidden, a.gate_per_head ? a.heads : widths.query, false, TensorRole::attention_gate);
      if (a.sinks) b.parameter(a.sinks_name.value_or("sinks"), {a.heads});
      head_norm(b, a, TensorRole::query_norm, a.q_norm.value_or("q_norm"), a.heads, widths.head_dim, widths.query);
      head_norm(b, a, TensorRole::key_norm, a.k_norm.value_or("k_norm"), widths.kv_heads, widths.head_dim, widths.key);
      const AttentionSizes sizes{a.heads, widths.kv_heads, widths.head_dim, a.value_dim, a.prompt};
      if (!a.is_cross_attention)
        record_attention(b, sizes);
      else if (a.encoder_length)
        record_cross_attention(b, sizes, a.encoder_length, source * (widths.key + widths.value));
    });
  });
}

Expr head_dim_or_share(Config c, Expr hidden, Expr heads) {
  return c.integer("head_dim", unless_zero.or_else(floor_divide(hidden, heads)));
}

LatentAttention latent_attention_fields(Config c, Expr hidden, Expr heads, const LatentDefaults& defaults) {
  const std::optional<Expr> q_rank =
      defaults.compressed ? c.integer("q_lora_rank", defaults.q_rank.value()) : c.optional_integer("q_lora_rank", defaults.q_rank);
  const Expr kv_rank = c.integer("kv_lora_rank", defaults.kv_rank), nope_dim = c.integer("qk_nope_head_dim", defaults.nope_dim);
  const Expr rope_dim = c.integer("qk_rope_head_dim", defaults.rope_dim);
  const Expr value_dim =
      defaults.value_dim > 0 ? c.integer("v_head_dim", defaults.value_dim) : c.integer("v_head_dim", floor_divide(hidden, heads));
  return {.hidden = hidden,
          .heads = heads,
          .q_rank = q_rank,
          .kv_rank = kv_rank,
          .nope_dim = nope_dim,
          .rope_dim = rope_dim,
          .value_dim = value_dim,
          .bias = c.flag("attention_bias", false)};
}

void latent_attention(Builder& b, Text name, const LatentAttention& a) {
  const Expr head = a.query_dim ? a.query_dim : a.nope_dim + a.rope_dim;
  require_positive(head);
  b.scope(Part::attention, name, [&] {
    const InBlock gated(b, {.mechanism = a.output_gate ? Mechanism::gated_latent_attention : Mechanism::unspecified, .heads = a.heads});
    const InBlock block(b, {.mechanism = Mechanism::latent_attention, .heads = a.heads});
    if (a.q_rank) {
      linear(b, "q_a_proj", a.hidden, *a.q_rank, a.bias, TensorRole::query_down);
      rms_norm(b, "q_a_layernorm", *a.q_rank);
      if (a.output_gate)
        linear(b, "q_b_proj", 2 * *a.q_rank, a.heads * (head + a.value_dim), false, TensorRole::query_up);
      else
        linear(b, "q_b_proj", *a.q_rank, a.heads * head, false, TensorRole::query_up);
    } else {
      linear(b, "q_proj", a.hidden, a.heads * head, false, TensorRole::query);
    }
    linear(b, "kv_a_proj_with_mqa", a.hidden, a.kv_rank + a.rope_dim, a.bias, TensorRole::key_value_down);
    rms_norm(b, "kv_a_layernorm", a.kv_rank);
    linear(b, "kv_b_proj", a.kv_rank, a.heads * (a.nope_dim + a.value_dim), false, TensorRole::key_value_up);
    linear(b, a.output.value_or("o_proj"), a.heads * a.value_dim, a.hidden, a.bias, TensorRole::output);
    if (b.inference() == nullptr) return;
    // transformers caches the compressed key-values as `keys` and the rotary part of keys as `values`.
    record_cache(b, "keys", {b.pool().literal(1), {}, a.kv_rank});
    record_cache(b, "values", {b.pool().literal(1), {}, a.rope_dim});
    record_pair_products(b, a.heads * (a.nope_dim + a.rope_dim + a.value_dim));
    // At every step, kv_b_proj is applied to all cached tokens.
    record_pair_products(b, a.kv_rank * (a.heads * (a.nope_dim + a.value_dim)), {}, true);
  });
}

void indexer(Builder& b, Text name, const LatentAttention& a, const Indexer& i) {
  b.scope(Part::attention, name, [&] {
    const InBlock block(b, {.mechanism = Mechanism::sparse_indexer, .heads = i.heads, .reused = i.reused});
    linear(b, "wq_b", a.q_rank.value(), i.heads * i.head_dim);
    linear(b, "wk", a.hidden, i.head_dim);
    layer_norm(b, "k_norm", i.head_dim);
    linear(b, "weights_proj", a.hidden, i.heads);
    record_cache(b, "indexer_keys", {{}, i.head_dim}, {}, i.float32);
    record_pair_products(b, i.heads * i.head_dim + i.heads);
  });
}

}  // namespace param_ledger
