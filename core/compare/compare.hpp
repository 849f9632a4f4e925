#pragma once

#include <span>
#include <string>
#include <string_view>

namespace param_ledger {

/// Compares several configurations, as JSON; web/core/raw.ts documents its form. For a refused configuration the answer has its error.
/// Differences are from the first one that could be counted. Throws Error{out_of_range} unless there are two to four.
std::string compare_answer(std::span<const std::string_view> config_texts);

}  // namespace param_ledger
