#pragma once

#include <vector>

#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

/// The module names in UPerNet's heads.
struct UperNames {
  ConvNorm convolution = {};
  Text pooling = "psp_modules.blocks", pooled = "conv", joined = "psp_bottleneck";
};

/// Records UPerNet's heads. `decode_head` is `width` wide and reads levels of the widths `in` (at least one). `auxiliary_head` reads the
/// third level or, if there are fewer, the last, and exists unless use_auxiliary_head is false. `taken`, if given, replaces the width of
/// that level. Reads pool_scales, the number of labels and the fields auxiliary_….
void uper_heads(Config c, Builder& b, const std::vector<Expr>& in, Expr width, Expr taken, const UperNames& names);

}  // namespace param_ledger
