#include "core/config/dimensions.hpp"

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define COMMON(...) X(__VA_ARGS__)
#define X(spellings, symbol, group, ...) {spellings, symbol, Group::group, __VA_ARGS__},
// NOLINTEND(cppcoreguidelines-macro-usage)

namespace param_ledger {

std::span<const Dimension> dimensions() {
  static constexpr Dimension table[] = {
#include "core/config/dimensions.def"
  };
  return table;
}

}  // namespace param_ledger
