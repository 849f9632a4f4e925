#pragma once

#include <vector>

#include "core/inputs/fit/fit_attempt.hpp"

namespace param_ledger {

/// Changes that might bring a model closer to the printed one, in batches from most to least likely. The first batches change the types of
/// models and layers. Each change is tried in addition to earlier choices.
constexpr std::size_t candidate_batches = 6, structural_batches = 2;
std::vector<Settings> candidates(std::size_t batch, const Attempt& now, Attempts& attempts);

/// Changes after which a configuration may no longer be refused. It has the class's defaults and numbers from the text.
std::vector<Settings> repairs(Attempts& attempts);

}  // namespace param_ledger
