#pragma once

#include "core/inputs/fit/fit_attempt.hpp"
#include "core/inputs/fit/fitted.hpp"

namespace param_ledger {

/// Determines the hidden tensors of a matching model whose shapes follow from the text (`deduced`), and the fields that the text does not
/// determine (`open`).
void find_open(const Attempt& attempt, const Settings& choices, Attempts& attempts, Fitted& out);

}  // namespace param_ledger
