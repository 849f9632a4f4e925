#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/quantity.hpp"

namespace param_ledger {

/// One reading of a number, in its own unit: anything from `low` to `high`.
struct NumberReading {
  Count low, high;
  unsigned digits;        ///< significant digits
  unsigned cost;          ///< see core/claims/conventions.hpp
  bool cut;               ///< cut off or rounded up, not rounded to the nearest
  std::string_view name;  ///< "as cut off"; empty: as written, rounded to the nearest
};

/// All readings of a number, the most likely first.
std::vector<NumberReading> readings_of(const Quantity& claim);

/// The beginning of `name` if the number is the size in the model's name.
constexpr std::string_view by_name = "by the name, ";

/// A size in model names, and its value in words: "7 billion".
struct SizeName {
  std::string text;
  Count parameters;
};

/// The sizes that may name that many parameters: one or two digits, or three before the point, rounded or cut off.
std::vector<SizeName> size_names(Count parameters);

}  // namespace param_ledger
