#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/expr/index_set.hpp"

namespace param_ledger {

/// The part of the runs that lies from `first` up to but not including `end`.
std::vector<Run> cut(std::span<const Run> runs, std::uint64_t first, std::uint64_t end);
/// Appends a run, or extends the last run if the new one follows it directly.
void append(std::vector<Run>& runs, Run run);
/// The first and the last index or index range in a name, as views of it; empty if there is none.
std::string_view first_index(std::string_view name);
std::string_view last_index(std::string_view name);

}  // namespace param_ledger
