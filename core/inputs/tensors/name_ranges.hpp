#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace param_ledger {

/// The maximum number of names that all index ranges of a text together may stand for.
constexpr std::size_t most_expanded_names = 2'000'000;

/// Expands index ranges: "layers.[0-3].w" and "layers.0-3.w" stand for four names, and a name without ranges stands for itself. Subtracts
/// the number of names from `budget`. Empty if the budget is too small or a range ends before it begins.
std::vector<std::string> expanded_names(std::string_view name, std::size_t& budget);

}  // namespace param_ledger
