#pragma once

#include <string>
#include <string_view>

#include "core/json/json.hpp"

namespace param_ledger {

// Checks a number that somebody states for a model, and finds the convention that explains it. core/claims/conventions.hpp defines the
// ranking of conventions, and `ranking()` describes it to users.

/// Checks each number of a claim such as "6.74B" or "671B total, 37B activated" against the model of a configuration. Returns JSON of the
/// type Check in web/types/claim.ts, without the members that ledger.ts copies from the first claim.
std::string check_answer(Json root, std::string_view written);

}  // namespace param_ledger
