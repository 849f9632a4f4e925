#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/quantity.hpp"

namespace param_ledger {

/// One way to read a stated number: as any value from `low` to `high`, in the number's own unit.
struct NumberReading {
  Count low, high;
  unsigned digits;        ///< significant digits
  unsigned cost;          ///< how uncommon the reading is: see core/claims/conventions.hpp
  bool cut;               ///< cut off or rounded up, not rounded to the nearest
  std::string_view name;  ///< such as "as cut off"; empty if the number is read as written
};

/// All readings of a number, the most likely first.
std::vector<NumberReading> readings_of(const Quantity& claim);

/// A reading's `name` begins with this if the number is computed from the size in the model's name: "by the name, 7 billion".
constexpr std::string_view by_name = "by the name, ";

/// A size as model names state it, in words ("7 billion"), and the number of parameters that it stands for.
struct SizeName {
  std::string text;
  Count parameters;
};

/// The sizes that may appear in the name of a model with this many parameters. They are rounded or cut off to one or two digits, or to all
/// digits before the decimal point.
std::vector<SizeName> size_names(Count parameters);

}  // namespace param_ledger
