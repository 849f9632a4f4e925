#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/support/quantity.hpp"

// Finds the likely error behind a wrong number.
namespace param_ledger {

/// Whether a value rounds to the printed number.
bool within(const Quantity& printed, Count value);
/// Whether a value gives the printed number if it is cut off instead of rounded.
bool cut_off(const Quantity& printed, Count value);

/// An error in arithmetic, and a sentence that describes it.
struct Slip {
  std::string_view kind = {};  ///< digit, factor, term or ratio; empty: none was found
  std::string sentence = {};
};
/// The likely error behind a printed number. `right` is the value of the expression with these names.
Slip slip_of(const Arithmetic& expression, const Quantity& printed, Count right, const std::vector<Binding>& names);

/// The printed number with the unit that makes it right: "8.19K" for 8,192 printed as "8.19M". Empty if no unit does.
std::string right_unit(const Quantity& printed, Count value);

}  // namespace param_ledger
