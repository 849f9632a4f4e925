#pragma once

#include <vector>

#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

/// The names of modules in UPerNet's head.
struct UperNames {
  ConvNorm convolution = {};
  Text pooling = "psp_modules.blocks", pooled = "conv", joined = "psp_bottleneck";
};

/// UPerNet's heads: `decode_head`, `width` wide, on levels of the widths `in` (at least one), and `auxiliary_head` on the third level or,
/// if there are fewer, the last. `taken` is the auxiliary head's input width, by default that level's. Reads pool_scales, the labels and
/// the fields auxiliary_….
void uper_heads(Config c, Builder& b, const std::vector<Expr>& in, Expr width, Expr taken, const UperNames& names);

}  // namespace param_ledger
