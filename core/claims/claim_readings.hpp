#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/quantity.hpp"

namespace param_ledger {

/// One way to understand a number, in its own unit: anything from `low` to `high`.
struct NumberReading {
  Count low, high;
  unsigned digits;        ///< that are meant
  unsigned cost;          ///< as core/claims/conventions.hpp has it
  bool cut;               ///< not rounded to the nearest, but cut off or rounded up
  std::string_view name;  ///< "as cut off"; empty: as written, rounded to the nearest
};

/// All ways to understand a number, the plainest first.
std::vector<NumberReading> readings_of(const Quantity& claim);

/// What `name` begins with where a number is read by the name of the model's size.
constexpr std::string_view by_name = "by the name, ";

/// A size as models are named by, and what it is short for: "7 billion".
struct SizeName {
  std::string text;
  Count parameters;
};

/// The names that so many parameters go by: one or two figures of them, or three before the point, rounded or cut off.
std::vector<SizeName> size_names(Count parameters);

}  // namespace param_ledger
