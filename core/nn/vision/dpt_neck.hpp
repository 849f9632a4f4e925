#pragma once

#include <vector>

#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// The neck of DPT and later depth estimation models. It resizes several outputs of a backbone and fuses them step by step.

/// Records `neck.reassemble_stage`, which projects the width `in` to each of `widths` and resizes the results by reassemble_factors,
/// starting with level `first`. Levels without a factor are left out. `project`: each level has a layer that combines the class token with
/// the patches.
void reassemble_stage(Config c, Builder& b, Expr in, const std::vector<Expr>& widths, bool project, std::size_t first = 0);

/// How DPT's neck fuses the levels.
struct Fusion {
  bool normed = false;                         ///< whether a norm follows each convolution of the residual layers
  bool bias = true;                            ///< whether the convolutions of the residual layers have biases
  void (*more)(Builder& b, Expr d) = nullptr;  ///< records additional tensors of each level
};
/// Reads use_batch_norm_in_fusion_residual and use_bias_in_fusion_residual.
Fusion fusion_switches(Config c);
/// Records `neck.convs`, which project each level to the width `d`, and `neck.fusion_stage`, with two residual layers of two convolutions
/// and a projection per level.
void fused_levels(Builder& b, Expr d, const std::vector<Expr>& widths, const Fusion& m = {});

}  // namespace param_ledger
