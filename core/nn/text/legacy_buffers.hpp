#pragma once

#include "core/builder/builder.hpp"

namespace param_ledger {

// Constants that transformers saved with a model until 2023. Old files may contain these tensors.

/// Records `name.bias`, the causal mask for `positions` positions, and `name.masked_bias`, the score of masked positions.
void legacy_causal_mask(Builder& b, Text name, Expr positions);
/// Records `name.inv_freq`, RoPE's frequencies, one for every two dimensions.
void legacy_frequencies(Builder& b, Text name, Expr dimensions);
/// Records `position_ids`, the numbers from 0 to `positions` − 1.
void legacy_positions(Builder& b, Expr positions);

}  // namespace param_ledger
