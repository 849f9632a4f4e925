#pragma once

#include "core/inputs/fit/fit_attempt.hpp"
#include "core/inputs/fit/fitted.hpp"

namespace param_ledger {

/// Determines which hidden tensors of a matching model follow from the text (`deduced`), and which fields the text leaves undetermined
/// (`open`).
void find_open(const Attempt& attempt, const Settings& choices, Attempts& attempts, Fitted& out);

}  // namespace param_ledger
