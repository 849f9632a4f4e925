#pragma once

#include <string>
#include <string_view>

#include "core/devices/division.hpp"

namespace param_ledger {

/// The rule by which a row is divided, in a word: column, row, embedding, expert, layer, replicated.
std::string_view rule_of(const Division& division, const DividedRow& row);

/// Where a stage of a pipeline holds a row: every, layers, first, ends, last.
std::string_view spelling(Place place);

/// Why a row is divided so: a sentence or two.
std::string reason_for(const Division& division, const DividedRow& row, std::string_view model_type);

/// Notes what does not come out even, and what transformers would not run, with the sizes that would.
void warn_of_division(const Division& division, Builder& notes);

}  // namespace param_ledger
