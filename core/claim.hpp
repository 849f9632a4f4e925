#pragma once

#include <string>

#include "core/json.hpp"

namespace param_ledger {

// Whether a number that somebody says of a model is right, and under which convention: core/conventions.hpp has the ranking, which
// `ranking()` tells to readers.

/// The answer to {"config": {…}, "claim": "6.74B"}; its form is Check in web/lib/types.ts.
std::string check_answer(Json request);

}  // namespace param_ledger
