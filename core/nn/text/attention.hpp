#pragma once

#include <optional>
#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

/// What is normalised after the projections to queries and keys.
enum class QkNorm : std::uint8_t {
  none,
  per_head,  ///< over one head: [head_dim]
  whole,     ///< over all heads together: [heads × head_dim]
  each,      ///< over one head, each head with weights of its own: [heads, head_dim]
};

/// Attention with projections to queries, keys and values and back: multi-head, grouped-query or multi-query.
struct Attention {
  Expr hidden = {};
  Expr heads = {};
  Expr kv_heads = {};      ///< fewer than heads: grouped-query; one: multi-query; empty: as many as heads
  Expr head_dim = {};      ///< empty: each head has its share of the hidden size
  Expr value_dim = {};     ///< width of a value head, where it is not head_dim
  bool even_share = true;  ///< and the hidden size must be a multiple of heads
  Expr output = {};        ///< width after the projection back, where it is not `hidden`
  Expr output_from = {};   ///< width before it, where it is not that of all heads together
  Expr memory = {};        ///< width of what keys and values are read from, where it is not `hidden`
  bool qkv_bias = false;
  bool key_bias = true;  ///< else the key has none of the qkv_bias
  bool output_bias = false;
  QkNorm head_norms = QkNorm::none;
  Norm head_norm_kind = Norm::rms;
  bool scaled_by_head_dim = true;       ///< scores are divided by the root of head_dim, which must not be 0 then
  bool output_gate = false;             ///< the query projection is twice as wide: half of it gates the output
  Text gate = {};                       ///< a projection of that name, as wide as the queries, gates the output
  bool gate_per_head = false;           ///< but one number for each head
  bool sinks = false;                   ///< a learned sink per head
  Text fused = {};                      ///< one projection of that name in place of three
  Text q = {}, k = {}, v = {}, o = {};  ///< else q_proj, k_proj, v_proj, o_proj
  Text q_norm = {}, k_norm = {};        ///< else so called
  Text sinks_name = {};                 ///< else "sinks"
  bool is_cross_attention = false;      ///< keys and values are those of another model's output, which is not there as text goes on
  Expr encoder_length = {};             ///< of that output, where it is there
  Expr prompt = {};                     ///< learned entries before the tokens
};

/// Records `name.q_proj` … Refuses what transformers cannot build: no key and value heads, or (where scores are scaled by
/// it) heads of no width, or those that do not share the hidden size out.
void attention(Builder& b, Text name, const Attention& a);

/// head_dim, or the share of each head in the hidden size where it is missing, null or 0 (`head_dim or hidden_size // heads`).
Expr head_dim_or_share(Config c, Expr hidden, Expr heads);

/// Multi-head latent attention (MLA): keys and values, and queries where `q_rank` is given, pass through a narrow layer.
struct LatentAttention {
  Expr hidden;
  Expr heads;
  std::optional<Expr> q_rank;
  Expr kv_rank;
  Expr nope_dim;  ///< of a query or key head, without position
  Expr rope_dim;  ///< of a query or key head, with rotary position
  Expr value_dim;
  Expr query_dim = {};  ///< of a query head in its projection, where it is not nope_dim + rope_dim
  bool bias = false;
  bool output_gate = false;  ///< the compressed query is twice as wide in its projection, which also gives a gate on the output
  Text output = {};          ///< else "o_proj"
};

/// A type's defaults of latent attention; DeepSeek-V3's where it says nothing else.
struct LatentDefaults {
  std::optional<std::uint64_t> q_rank = 1536;
  std::uint64_t kv_rank = 512, nope_dim = 128, rope_dim = 64;
  std::uint64_t value_dim = 128;  ///< 0: where missing or null each head's share of the hidden size
  bool compressed = false;        ///< queries always are: q_lora_rank must not be null
};

/// Reads q_lora_rank, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim and attention_bias.
LatentAttention latent_attention_fields(Config c, Expr hidden, Expr heads, const LatentDefaults& defaults = {});
/// Records `name.q_a_proj` …, `name.kv_a_proj_with_mqa` …, `name.o_proj`. Source: transformers, models/deepseek_v3.
void latent_attention(Builder& b, Text name, const LatentAttention& a);

/// What chooses the tokens that sparse latent attention sees.
struct Indexer {
  Expr heads;
  Expr head_dim;
  bool float32 = false;  ///< what it keeps
};
/// Records `name.wq_b`, wk, k_norm and weights_proj beside that attention. Source: transformers, models/deepseek_v32.
void indexer(Builder& b, Text name, const LatentAttention& a, const Indexer& i);

}  // namespace param_ledger
