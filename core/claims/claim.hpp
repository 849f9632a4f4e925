#pragma once

#include <string>
#include <string_view>

#include "core/json/json.hpp"

namespace param_ledger {

// Whether a number that somebody says of a model is right, and under which convention: core/claims/conventions.hpp has the ranking, which
// `ranking()` tells to readers.

/// The answer to a claim, as "6.74B", on the model of a configuration; its form is Check in web/lib/types/claim-types.ts.
std::string check_answer(Json root, std::string_view written);

}  // namespace param_ledger
