#pragma once

#include <string_view>

#include "core/builder.hpp"
#include "core/config.hpp"

namespace param_ledger {

// --- Attention -------------------------------------------------------------------------------------------------------

/// Attention with separate projections q_proj, k_proj, v_proj, o_proj.
struct Attention {
  Expr hidden;
  Expr heads;
  Expr kv_heads;  ///< fewer than heads: grouped-query; one: multi-query
  Expr head_dim;
  bool qkv_bias = false;
  bool output_bias = false;
  bool head_norms = false;         ///< q_norm and k_norm, over one head
  bool scaled_by_head_dim = true;  ///< scores are divided by the root of head_dim, which must not be 0 then
};

/// Records `name.q_proj` … Refuses what transformers cannot build: no key and value heads, or (where scores are scaled by
/// it) heads of no width.
void attention(Builder& b, std::string_view name, const Attention& a);

/// head_dim, or the share of each head in the hidden size where it is missing, null or 0 (`head_dim or hidden_size // heads`).
Expr head_dim_or_share(Config& c, Expr hidden, Expr heads);

/// Multi-head latent attention (MLA): keys and values, and queries where `q_rank` is given, pass through a narrow layer.
struct LatentAttention {
  Expr hidden;
  Expr heads;
  std::optional<Expr> q_rank;
  Expr kv_rank;
  Expr nope_dim;  ///< of a query or key head, without position
  Expr rope_dim;  ///< of a query or key head, with rotary position
  Expr value_dim;
  bool bias = false;
};

/// Reads its fields, with the defaults of DeepSeek-V3.
LatentAttention latent_attention_fields(Config& c, Expr hidden);
void latent_attention(Builder& b, std::string_view name, const LatentAttention& a);

// --- Feed-forward ----------------------------------------------------------------------------------------------------

/// gate_proj, up_proj, down_proj: three matrices (SwiGLU, GeGLU).
void gated_mlp(Builder& b, std::string_view name, Expr hidden, Expr inner, bool bias = false);
/// up_proj, down_proj: two matrices.
void mlp(Builder& b, std::string_view name, Expr hidden, Expr inner, bool bias = false);

/// Experts with three matrices each, as checkpoints hold them: one by one.
struct Experts {
  Expr count;
  Expr active;  ///< how many a token uses
  Expr hidden;
  Expr inner;
  std::string_view gate = "gate_proj", up = "up_proj", down = "down_proj";
};

/// Records `experts.[0-7].gate_proj.weight` … and the router `gate` beside them, with the buffer that corrects its scores
/// where there is one.
void routed_experts(Builder& b, const Experts& e, bool score_correction = false);

/// The router (`gate.weight` [experts, hidden]) of a mixture of experts, with the buffer that corrects its scores where there is one.
void router(Builder& b, std::string_view name, Expr experts, Expr hidden, bool score_correction = false);

// --- State space -----------------------------------------------------------------------------------------------------

/// The mixer of Mamba-2, which hybrids take over under other field names.
struct Mamba2Mixer {
  Expr hidden;
  Expr inner;  ///< width of the mixer
  Expr heads;
  Expr groups;
  Expr state;
  Expr kernel;
  bool conv_bias = true;
  bool projection_bias = false;
};

/// Records `name.dt_bias`, A_log, D, conv1d, in_proj, norm, out_proj. Source: transformers, models/mamba2.
void mamba2_mixer(Builder& b, std::string_view name, const Mamba2Mixer& m);

// --- Layers of different kinds ---------------------------------------------------------------------------------------

/// The layers of `kinds` that are of one kind, as an index set whose count formulas write as `name` (`symbol`).
IndexSet layers_of(Config& c, const std::vector<std::string>& kinds, std::string_view kind, std::string_view name, std::string_view symbol,
                   std::string_view meaning);

/// Says of multi-token prediction layers, which published files hold beside the model, that they are not counted.
void note_prediction_layers(Config& c, Builder& b, std::string_view field);

/// Old names of layer kinds in the place of which transformers puts new ones ("mamba" is "linear_attention").
void modernise_layer_types(std::vector<std::string>& kinds);

}  // namespace param_ledger
