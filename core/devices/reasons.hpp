#pragma once

#include <string>
#include <string_view>

#include "core/devices/division.hpp"

namespace param_ledger {

/// The rule that divides a row, in one word: column, row, embedding, expert, layer, replicated or whole.
std::string_view rule_of(const Division& division, const DividedRow& row);

/// Why a row is divided this way: one or two sentences.
std::string reason_for(const Division& division, const DividedRow& row, std::string_view model_type);

}  // namespace param_ledger
