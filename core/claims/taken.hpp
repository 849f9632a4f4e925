#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/count.hpp"

namespace param_ledger {

/// One item of an explanation: a step on the way from the total parameter count to the explained sum.
struct Taken {
  enum Kind : std::uint8_t { total, configuration, rows, packing, adapter, head };
  std::string_view id;  ///< "final_norm"
  std::string label;    ///< "final norm", "64 key-value heads"
  Kind kind;
  bool added;    ///< the item increases the sum
  Count change;  ///< the size of the change, after all earlier items
};

}  // namespace param_ledger
