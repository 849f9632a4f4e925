#pragma once

#include "core/builder/builder.hpp"

namespace param_ledger {

// What old files carry beside the model: constants that transformers once saved with it. Each a tensor that may be there.

/// `name.bias`, the causal mask of attention over so many positions, and `name.masked_bias`, the score of what it hides.
void old_causal_mask(Builder& b, Text name, Expr positions);
/// `name.inv_freq`: the frequencies of rotary positions, one for two of so many dimensions.
void old_frequencies(Builder& b, Text name, Expr dimensions);
/// `position_ids`: 0, 1, … for so many positions.
void old_positions(Builder& b, Expr positions);

}  // namespace param_ledger
