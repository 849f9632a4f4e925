#pragma once

#include <span>
#include <string>
#include <string_view>

namespace param_ledger {

/// Compares two to four configurations. Returns JSON, whose type web/core/raw.ts declares. A refused configuration is represented by its
/// error. Differences are relative to the first configuration that could be counted. Throws Error{out_of_range} for fewer than two or more
/// than four configurations.
std::string compare_answer(std::span<const std::string_view> config_texts);

}  // namespace param_ledger
