#pragma once

#include <optional>
#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

/// The kind of norms on queries and keys.
enum class QkNorm : std::uint8_t {
  none,
  per_head,  ///< over each head, with weights that all heads share: [head_dim]
  whole,     ///< over all heads together: [heads × head_dim]
  each,      ///< over each head, with separate weights: [heads, head_dim]
};

/// Attention with query, key, value and output projections: multi-head, grouped-query or multi-query.
struct Attention {
  Expr hidden = {};
  Expr heads = {};
  Expr kv_heads = {};      ///< number of key-value heads; fewer than heads: grouped-query; one: multi-query; empty: as many as heads
  Expr head_dim = {};      ///< dimension of a head; empty: hidden ÷ heads
  Expr value_dim = {};     ///< dimension of a value head, if it differs from head_dim
  bool even_share = true;  ///< whether heads must divide the hidden size if head_dim is empty
  Expr output = {};        ///< output width of the output projection, if it differs from `hidden`
  Expr output_from = {};   ///< input width of the output projection, if it differs from the width of all heads
  Expr memory = {};        ///< width of the hidden states from which keys and values are computed, if it differs from `hidden`
  bool qkv_bias = false;
  bool key_bias = true;  ///< false: keys have no bias, even if qkv_bias is true
  bool output_bias = false;
  QkNorm head_norms = QkNorm::none;
  Norm head_norm_kind = Norm::rms;
  bool scaled_by_head_dim = true;       ///< attention scores are divided by the square root of head_dim, so head_dim must not be 0
  bool output_gate = false;             ///< the query projection is twice as wide, and half of its output gates the attention output
  Text gate = {};                       ///< name of a projection, as wide as the queries, that gates the attention output; empty: none
  bool gate_per_head = false;           ///< whether `gate` has only one output for each head
  bool sinks = false;                   ///< one learned attention-sink logit per head
  Text fused = {};                      ///< the name of a fused query, key and value projection; empty: they are separate
  Text q = {}, k = {}, v = {}, o = {};  ///< names of the projections; null: "q_proj", "k_proj", "v_proj", "o_proj"
  Text q_norm = {}, k_norm = {};        ///< names of the norms on queries and keys; null: "q_norm", "k_norm"
  Text sinks_name = {};                 ///< name of the attention sinks; null: "sinks"
  bool is_cross_attention = false;      ///< whether keys and values are computed from other hidden states, such as an encoder's output
  Expr encoder_length = {};             ///< number of tokens in an encoder's output; empty if text-only generation has no such output
  Expr prompt = {};                     ///< number of learned vectors that precede the tokens, as in CPM-Ant
};

/// Records the attention block `name.q_proj` … Throws if transformers cannot build it: kv_heads is 0, the head dimension is 0 although
/// scores are scaled by it, or the heads do not divide the hidden size although `even_share` applies.
void attention(Builder& b, Text name, const Attention& a);

/// The field head_dim or, if it is missing, null or 0, hidden ÷ heads, rounded down (`head_dim or hidden_size // heads`).
Expr head_dim_or_share(Config c, Expr hidden, Expr heads);

/// Multi-head latent attention (MLA). It compresses keys and values to a low rank and, if `q_rank` is given, queries, too.
struct LatentAttention {
  Expr hidden;
  Expr heads;
  std::optional<Expr> q_rank;
  Expr kv_rank;
  Expr nope_dim;  ///< query/key dimensions without RoPE
  Expr rope_dim;  ///< query/key dimensions with RoPE
  Expr value_dim;
  Expr query_dim = {};  ///< dimension of a query head, if it differs from nope_dim + rope_dim
  bool bias = false;
  bool output_gate = false;  ///< q_b_proj reads the compressed query twice, before and after the norm, and also computes the output gate
  Text output = {};          ///< name of the output projection; null: "o_proj"
};

/// A model type's defaults for the fields of latent attention. Where none is set, they are DeepSeek-V3's.
struct LatentDefaults {
  std::optional<std::uint64_t> q_rank = 1536;
  std::uint64_t kv_rank = 512, nope_dim = 128, rope_dim = 64;
  std::uint64_t value_dim = 128;  ///< 0: hidden ÷ heads
  bool compressed = false;        ///< whether queries are always compressed, so that q_lora_rank must not be null
};

/// Reads q_lora_rank, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim and attention_bias.
LatentAttention latent_attention_fields(Config c, Expr hidden, Expr heads, const LatentDefaults& defaults = {});
/// Records `name.q_a_proj` … or, without `q_rank`, `name.q_proj`; `name.kv_a_proj_with_mqa` …, and the output projection. Source:
/// transformers, models/deepseek_v3.
void latent_attention(Builder& b, Text name, const LatentAttention& a);

/// The indexer of sparse latent attention, which selects the tokens to attend to.
struct Indexer {
  Expr heads;
  Expr head_dim;
  bool reused = false;   ///< whether layers without an indexer of their own reuse the selection
  bool float32 = false;  ///< whether the cache of the indexer's keys has 32-bit entries
};
/// Records the indexer's `name.wq_b`, wk, k_norm and weights_proj. `a.q_rank` must be set. Source: transformers, models/deepseek_v32.
void indexer(Builder& b, Text name, const LatentAttention& a, const Indexer& i);

}  // namespace param_ledger
