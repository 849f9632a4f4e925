#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/count.hpp"

namespace param_ledger {

/// One item of an explanation: a step on the way from the total parameter count to the explained sum.
struct Taken {
  enum Kind : std::uint8_t { total, configuration, rows, packing, adapter, head };
  std::string_view id;  ///< the item's identifier in answers, such as "final_norm"
  std::string label;    ///< the item in words, such as "final norm" or "64 key-value heads"
  Kind kind;
  bool added;    ///< the item increases the sum
  Count change;  ///< the size of the change, after all earlier items
};

}  // namespace param_ledger
