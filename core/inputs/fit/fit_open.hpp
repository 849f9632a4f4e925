#pragma once

#include "core/inputs/fit/fit_attempt.hpp"
#include "core/inputs/fit/fitted.hpp"

namespace param_ledger {

/// Says of a model that may be the printed one what follows from the text (`deduced`), and which fields it leaves open (`open`).
void find_open(const Attempt& attempt, const Settings& choices, Attempts& attempts, Fitted& out);

}  // namespace param_ledger
