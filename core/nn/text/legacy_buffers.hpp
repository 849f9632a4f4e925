#pragma once

#include "core/builder/builder.hpp"

namespace param_ledger {

// Constants in old files that transformers once saved with the model. Each is a tensor that may be present.

/// `name.bias`, the causal mask for that many positions, and `name.masked_bias`, the score of masked positions.
void legacy_causal_mask(Builder& b, Text name, Expr positions);
/// `name.inv_freq`: RoPE's frequencies, one for two dimensions.
void legacy_frequencies(Builder& b, Text name, Expr dimensions);
/// `position_ids`: 0, 1, … for that many positions.
void legacy_positions(Builder& b, Expr positions);

}  // namespace param_ledger
