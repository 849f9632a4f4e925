#pragma once

#include <string>

#include "core/json.hpp"

namespace param_ledger {

/// Several configurations beside one another, as JSON text; its form is documented in web/lib/core/raw.ts. A configuration that is refused
/// says so in its place. Differences are from the first one that is counted. Throws Error{out_of_range} unless there are two to four.
std::string compare_answer(Json configs);

}  // namespace param_ledger
