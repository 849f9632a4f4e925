#pragma once

#include <vector>

#include "core/inputs/fit/fit_attempt.hpp"

namespace param_ledger {

/// Changes that might bring a model closer to the printed one, in batches from most to least likely. The first `structural_batches` change
/// the types of nested models and layers. Each change is added to the earlier choices.
constexpr std::size_t candidate_batches = 6, structural_batches = 2;
std::vector<Settings> candidates(std::size_t batch, const Attempt& now, Attempts& attempts);

/// Changes that might make valid the configuration that was refused last.
std::vector<Settings> repairs(Attempts& attempts);

}  // namespace param_ledger
