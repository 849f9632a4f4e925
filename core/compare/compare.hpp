#pragma once

#include <span>
#include <string>
#include <string_view>

namespace param_ledger {

/// Compares several configurations, as JSON; web/lib/core/raw.ts documents its form. The error of a refused configuration is in its place.
/// Differences are from the first one that could be counted. Throws Error{out_of_range} unless there are two to four.
std::string compare_answer(std::span<const std::string_view> config_texts);

}  // namespace param_ledger
