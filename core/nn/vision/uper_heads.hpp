#pragma once

#include <vector>

#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

/// What a type calls the modules of UPerNet's head.
struct UperNames {
  ConvNorm convolution = {};
  Text pooling = "psp_modules.blocks", pooled = "conv", joined = "psp_bottleneck";
};

/// UPerNet's heads: `decode_head` on levels of these widths (at least one), itself `width` wide, and `auxiliary_head` on one of them, the
/// third or, where it is not there, the last; `taken`: the width that it takes, else that level's. Reads pool_scales, the labels and
/// the fields auxiliary_….
void uper_heads(Config c, Builder& b, const std::vector<Expr>& in, Expr width, Expr taken, const UperNames& names);

}  // namespace param_ledger
