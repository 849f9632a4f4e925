#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/support/quantity.hpp"

// How a number that is wrong may have come about.
namespace param_ledger {

/// Whether a printed number stands for that one.
bool within(const Quantity& printed, Count value);

/// What went wrong in a line of arithmetic.
struct Slip {
  std::string_view kind = {};  ///< digit, factor, term, ratio; empty: nothing was found
  std::string sentence = {};
};
/// How the printed number may have come of an expression whose value is `right` with these names.
Slip slip_of(const Arithmetic& expression, const Quantity& printed, Count right, const std::vector<Binding>& names);

/// "8.19K" for 8,192 printed as "8.19M"; empty where no unit makes it right.
std::string right_unit(const Quantity& printed, Count value);

}  // namespace param_ledger
