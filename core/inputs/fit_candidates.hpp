#pragma once

#include <vector>

#include "core/inputs/fit_attempt.hpp"

namespace param_ledger {

/// What might make a model more like the printed one than it is, in batches, of which the first are the likeliest. Each is tried besides
/// what was chosen before.
constexpr std::size_t candidate_batches = 6;
std::vector<Settings> candidates(std::size_t batch, const Attempt& now, Attempts& attempts);

/// The same where the text's own numbers were refused.
std::vector<Settings> repairs(const Attempt& before, Attempts& attempts);

}  // namespace param_ledger
