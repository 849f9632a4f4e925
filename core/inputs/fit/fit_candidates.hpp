#pragma once

#include <vector>

#include "core/inputs/fit/fit_attempt.hpp"

namespace param_ledger {

/// What might make a model more like the printed one than it is, in batches, of which the first are the likeliest, and before all the types
/// of models and layers. Each is tried besides what was chosen before.
constexpr std::size_t candidate_batches = 6, structural_batches = 2;
std::vector<Settings> candidates(std::size_t batch, const Attempt& now, Attempts& attempts);

/// The same where the class's defaults, or the text's own numbers, were refused.
std::vector<Settings> repairs(Attempts& attempts);

}  // namespace param_ledger
