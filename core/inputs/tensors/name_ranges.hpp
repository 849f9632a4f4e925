#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace param_ledger {

/// How many names ranges may stand for, in all names of a text.
constexpr std::size_t most_expanded_names = 2'000'000;

/// The names that a name with index ranges stands for: "layers.[0-3].w" and "layers.0-3.w" stand for four; a name without ranges for
/// itself. Takes how many there are from `budget`; none where it is too small, or a range ends before it begins.
std::vector<std::string> expanded_names(std::string_view name, std::size_t& budget);

}  // namespace param_ledger
