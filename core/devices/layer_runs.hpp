#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/expr/index_set.hpp"

namespace param_ledger {

/// What is in the runs from `first` to before `end`.
std::vector<Run> cut(std::span<const Run> runs, std::uint64_t first, std::uint64_t end);
/// Appends a run, to the last one where it follows on that.
void append(std::vector<Run>& runs, Run run);
/// The first index or range of indices in a name, and the last one: views of it; empty where there is none.
std::string_view first_index(std::string_view name);
std::string_view last_index(std::string_view name);

}  // namespace param_ledger
