#pragma once

#include <string_view>

#include "core/builder/blocks.hpp"
#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

/// The sizes of Mamba's selective state-space mixer.
struct MambaMixer {
  Expr hidden;
  Expr inner;  ///< width inside the mixer, d_inner
  Expr state;
  Expr step_rank;  ///< rank of the projection that gives the step size
  Expr kernel;
  bool conv_bias = true;
  bool projection_bias = false;
  bool norms = false;  ///< whether the mixer has dt_layernorm, b_layernorm and c_layernorm
};

/// Records `name.in_proj`, conv1d, x_proj, dt_proj, A_log, D, out_proj and, if `norms` is set, the three norms. Source: transformers,
/// models/mamba, jamba.
void mamba_mixer(Builder& b, Text name, const MambaMixer& m);

/// The sizes of Mamba-2's mixer.
struct Mamba2Mixer {
  Expr hidden;
  Expr inner;  ///< width inside the mixer, d_inner
  Expr heads;
  Expr groups;
  Expr state;
  Expr kernel;
  bool conv_bias = true;
  bool projection_bias = false;
  bool output_bias = projection_bias;
  bool norm = true;
  Text scalars = {};  ///< name of the module that contains dt_bias, A_log and D; empty: the mixer itself
};

/// Reads mamba_n_heads, mamba_d_head, mamba_n_groups, mamba_d_state, mamba_d_conv, mamba_conv_bias and mamba_proj_bias, as Bamba and later
/// hybrids call these fields. Throws unless the number of heads divides `inner` and, times their dimension, equals it.
Mamba2Mixer mamba2_fields(Config c, Expr hidden, Expr inner);
/// Records `name.dt_bias`, A_log, D, conv1d, in_proj, out_proj and, unless `norm` is false, norm. Source: transformers, models/mamba2.
void mamba2_mixer(Builder& b, Text name, const Mamba2Mixer& m);

/// Records the gated short convolution of LFM2: `name.in_proj`, conv, out_proj.
void short_convolution(Builder& b, Text name, Expr hidden, Expr kernel, bool bias);

/// The sizes of Qwen3-Next's Gated DeltaNet: linear attention by the gated delta rule, after a short convolution.
struct GatedDelta {
  Expr hidden;
  Expr kernel;
  Expr key_heads, key_dim;      ///< number of query and key heads, and their dimension
  Expr value_heads, value_dim;  ///< number of value and gate heads, and their dimension
  bool fused = false;           ///< whether there are two input projections, in_proj_qkvz and in_proj_ba, instead of four
};

/// Reads linear_conv_kernel_dim, linear_num_key_heads, linear_key_head_dim, linear_num_value_heads and linear_value_head_dim.
GatedDelta gated_delta_fields(Config c, Expr hidden);
/// Records `name.in_proj_qkvz` or `name.in_proj_qkv` …, conv1d, dt_bias, A_log, norm, out_proj. Source: transformers, models/qwen3_next,
/// qwen3_5.
void gated_delta(Builder& b, Text name, const GatedDelta& m);

/// The sizes of linear attention by the delta rule, with separate projections and short convolutions for queries, keys and values.
struct DeltaAttention {
  Expr hidden;
  Expr kernel;
  Expr heads;      ///< number of value heads
  Expr head_dim;   ///< dimension of one value head
  Expr key_width;  ///< width of all query heads, and of all key heads
  Text output = "o_proj";
  Mechanism mechanism = Mechanism::kimi_delta_attention;
};

/// Records `name.q_proj` …, q_conv1d …, b_proj, o_norm and the output projection. Source: transformers, models/olmo_hybrid, kimi_linear.
void delta_attention(Builder& b, Text name, const DeltaAttention& m);

}  // namespace param_ledger
