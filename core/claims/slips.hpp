#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/support/quantity.hpp"

// Likely errors behind a wrong number.
namespace param_ledger {

/// Whether a printed number stands for that value.
bool within(const Quantity& printed, Count value);
/// Whether it is the value with its last digits cut off instead of rounded.
bool cut_off(const Quantity& printed, Count value);

/// An error in an arithmetic expression.
struct Slip {
  std::string_view kind = {};  ///< digit, factor, term or ratio; empty: none was found
  std::string sentence = {};
};
/// The likely error behind a printed number, if the expression has the value `right` with these names.
Slip slip_of(const Arithmetic& expression, const Quantity& printed, Count right, const std::vector<Binding>& names);

/// "8.19K" for 8,192 printed as "8.19M"; empty if no unit makes it right.
std::string right_unit(const Quantity& printed, Count value);

}  // namespace param_ledger
