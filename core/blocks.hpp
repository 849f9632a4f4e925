#pragma once

#include <string_view>

#include "core/builder.hpp"

namespace param_ledger {

/// Attention with separate projections q_proj, k_proj, v_proj, o_proj.
struct Attention {
  Expr hidden;
  Expr heads;
  Expr kv_heads;  ///< fewer than heads: grouped-query; one: multi-query
  Expr head_dim;
  bool qkv_bias = false;
  bool output_bias = false;
  bool head_norms = false;  ///< q_norm and k_norm, over one head
};

/// Records `name.q_proj` … Refuses what transformers cannot build: no key and value heads, or heads of no width.
void attention(Builder& b, std::string_view name, const Attention& a);

/// gate_proj, up_proj, down_proj: three matrices (SwiGLU, GeGLU).
void gated_mlp(Builder& b, std::string_view name, Expr hidden, Expr inner, bool bias = false);

}  // namespace param_ledger
