// In the place of all_dimensions.cpp in the program that only counts.

#include "core/config/dimensions.hpp"

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define X(...)
#define COMMON(spellings, symbol, group, ...) {spellings, symbol, Group::group, __VA_ARGS__},
// NOLINTEND(cppcoreguidelines-macro-usage)

namespace param_ledger {

std::span<const Dimension> dimensions() {
  static constexpr Dimension table[] = {
#include "core/config/dimensions.def"
  };
  return table;
}

}  // namespace param_ledger
