#pragma once

#include <string>
#include <string_view>

#include "core/devices/division.hpp"

namespace param_ledger {

/// The rule that divides a row, in one word: column, row, embedding, expert, layer, replicated.
std::string_view rule_of(const Division& division, const DividedRow& row);

/// Which pipeline stages hold a row: every, layers, first, ends, last.
std::string_view spelling(Place place);

/// Why a row is divided this way: one or two sentences.
std::string reason_for(const Division& division, const DividedRow& row, std::string_view model_type);

/// Adds notes on uneven shares and on sizes that transformers cannot run, with sizes that fit.
void warn_of_division(const Division& division, Builder& notes);

}  // namespace param_ledger
