#pragma once

#include <span>
#include <string>
#include <string_view>

namespace param_ledger {

/// Several configurations beside one another, as JSON text; its form is documented in web/lib/core/raw.ts. A configuration that is refused
/// says so in its place. Differences are from the first one that is counted. Throws Error{out_of_range} unless there are two to four.
std::string compare_answer(std::span<const std::string_view> config_texts);

}  // namespace param_ledger
