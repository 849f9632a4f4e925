#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

/// The selective state-space mixer of Mamba.
struct MambaMixer {
  Expr hidden;
  Expr inner;  ///< width of the mixer
  Expr state;
  Expr step_rank;  ///< width of the compressed time step
  Expr kernel;
  bool conv_bias = true;
  bool projection_bias = false;
  bool norms = false;  ///< of what is selected: dt_layernorm, b_layernorm, c_layernorm
};

/// Records `name.in_proj`, conv1d, x_proj, dt_proj, A_log, D, out_proj. Source: transformers, models/mamba, jamba.
void mamba_mixer(Builder& b, Text name, const MambaMixer& m);

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
  bool output_bias = projection_bias;
  bool norm = true;
  Text scalars = {};  ///< a module of their own for dt_bias, A_log and D
};

/// Reads mamba_n_heads, mamba_d_head, mamba_n_groups, mamba_d_state, mamba_d_conv, mamba_conv_bias and mamba_proj_bias, as
/// Bamba and its descendants spell them. Refuses heads that don't share `inner` out.
Mamba2Mixer mamba2_fields(Config c, Expr hidden, Expr inner);
/// Records `name.dt_bias`, A_log, D, conv1d, in_proj, norm, out_proj. Source: transformers, models/mamba2.
void mamba2_mixer(Builder& b, Text name, const Mamba2Mixer& m);

/// The gated short convolution of LFM2: `name.in_proj`, conv, out_proj.
void short_convolution(Builder& b, Text name, Expr hidden, Expr kernel, bool bias);

/// The gated delta net of Qwen3-Next: linear attention that corrects and forgets what it keeps, after a short convolution.
struct GatedDelta {
  Expr hidden;
  Expr kernel;
  Expr key_heads, key_dim;      ///< of queries and keys
  Expr value_heads, value_dim;  ///< of values and gates
  bool fused = false;           ///< one projection for what four others give
};

/// Reads linear_conv_kernel_dim, linear_num_key_heads, linear_key_head_dim, linear_num_value_heads and linear_value_head_dim.
GatedDelta gated_delta_fields(Config c, Expr hidden);
/// Records `name.in_proj_qkv` …, conv1d, dt_bias, A_log, norm, out_proj. Source: transformers, models/qwen3_next, qwen3_5.
void gated_delta(Builder& b, Text name, const GatedDelta& m);

/// Linear attention by the delta rule with a projection and a short convolution for each of queries, keys and values.
struct DeltaAttention {
  Expr hidden;
  Expr kernel;
  Expr heads;      ///< of values
  Expr head_dim;   ///< of a value head
  Expr key_width;  ///< of all query or key heads together
  Text output = "o_proj";
};

/// Records `name.q_proj` …, q_conv1d …, b_proj, o_norm, o_proj. Source: transformers, models/olmo_hybrid, kimi_linear.
void delta_attention(Builder& b, Text name, const DeltaAttention& m);

}  // namespace param_ledger
