#pragma once

#include <vector>

#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// DPT's neck, which models of depth share: what several layers of a transformer give, brought to several sizes and joined step by step.

/// `neck.reassemble_stage`: a projection of `in` to each of `widths`, and what brings it to its size, by reassemble_factors; those before
/// `first` have none. `project`: the class token is joined to the patches by a layer.
void reassembled_levels(Config c, Builder& b, Expr in, const std::vector<Expr>& widths, bool project, std::size_t first = 0);

/// How levels are joined.
struct Fusion {
  bool normed = false;                         ///< a norm behind each convolution
  bool bias = true;                            ///< of the convolutions
  void (*more)(Builder& b, Expr d) = nullptr;  ///< records what each level has beside
};
/// Reads use_batch_norm_in_fusion_residual and use_bias_in_fusion_residual.
Fusion fusion_switches(Config c);
/// `neck.convs`, `neck.fusion_stage`: each level brought to the width `d`, and four convolutions and a projection.
void fused_levels(Builder& b, Expr d, const std::vector<Expr>& widths, const Fusion& m = {});

}  // namespace param_ledger
