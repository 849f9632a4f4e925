#pragma once

#include "core/inputs/fit/fit_attempt.hpp"
#include "core/inputs/fit/fitted.hpp"

namespace param_ledger {

/// For a model that matches the printed text, determines which hidden tensors have shapes that follow from the text (`deduced`), and which
/// fields that affect the parameter count the text leaves undetermined (`open`).
void find_open(const Attempt& attempt, const Settings& choices, Attempts& attempts, Fitted& out);

}  // namespace param_ledger
