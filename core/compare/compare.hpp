#pragma once

#include <span>
#include <string>
#include <string_view>

namespace param_ledger {

/// Compares two to four configurations. Returns JSON, which web/types/comparison.ts documents. A refused configuration is represented by
/// its error. Differences are relative to the first configuration that could be counted. Throws Error{out_of_range} for any other number of
/// configurations.
std::string compare_answer(std::span<const std::string_view> config_texts);

}  // namespace param_ledger
