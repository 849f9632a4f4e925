#pragma once

#include <string>
#include <string_view>

#include "core/json/json.hpp"

namespace param_ledger {

// Checks a number that somebody states for a model, and finds the convention that explains it. core/claims/conventions.hpp defines the
// ranking, and `ranking()` describes it for readers.

/// Checks a claim such as "6.74B" or "671B total, 37B activated" against a configuration's model, each number for itself. Check in
/// web/types/claim.ts is the form of the answer.
std::string check_answer(Json root, std::string_view written);

}  // namespace param_ledger
