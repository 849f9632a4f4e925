#pragma once

#include <vector>

#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// DPT's neck, used by depth models: outputs of several transformer layers, resized and fused step by step.

/// `neck.reassemble_stage`: projects `in` to each of `widths` and resizes by reassemble_factors, starting with level `first`. `project`: a
/// layer combines the class token with the patches.
void reassemble_stage(Config c, Builder& b, Expr in, const std::vector<Expr>& widths, bool project, std::size_t first = 0);

/// How levels are fused.
struct Fusion {
  bool normed = false;                         ///< a norm after each convolution
  bool bias = true;                            ///< of the convolutions
  void (*more)(Builder& b, Expr d) = nullptr;  ///< records further tensors of each level
};
/// Reads use_batch_norm_in_fusion_residual and use_bias_in_fusion_residual.
Fusion fusion_switches(Config c);
/// `neck.convs`, `neck.fusion_stage`: projects each level to the width `d`; four convolutions and a projection per level.
void fused_levels(Builder& b, Expr d, const std::vector<Expr>& widths, const Fusion& m = {});

}  // namespace param_ledger
