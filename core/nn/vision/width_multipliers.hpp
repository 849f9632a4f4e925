#pragma once

#include <string>
#include <vector>

#include "core/config/config.hpp"

namespace param_ledger {

// Widths that vision models compute from multipliers, and functions that read lists of numbers or booleans.

/// Reads a list of numbers, which may have fractions, or returns `fallback` if it is missing. Throws for null and other types.
std::vector<double> numbers(Config c, Text name, std::vector<double> fallback);
/// Reads a list of booleans, or returns `fallback` if it is missing. Throws for null and other types.
std::vector<bool> switches(Config c, Text name, std::vector<bool> fallback);

/// The width ⌊factor × base⌋, computed in doubles as in Python. If the factor is not an integer, formulas call the result `name`
/// (`symbol`). Throws for negative factors and for products above 10^15; the message names `field`.
Expr multiplied_width(Config c, Text field, double factor, Expr base, const std::string& name, const std::string& symbol);

/// MobileNet's rule for rounding a width: the nearest multiple of `divisor`, raised to `least` if it is smaller, and then by `divisor` if
/// it is less than nine tenths of the width.
struct WidthRounding {
  Count divisor, least;
  Text factor_field;        ///< the field that an error names for a width that is negative or above 10^15
  Text divisor_field = {};  ///< the field that an error names for a divisor that is 0 or above 10^15; empty for a fixed divisor
};

/// The rounded width. Formulas call it `rounded_widths[label]`. Throws for a width that is negative or above 10^15, and for such a divisor
/// or 0.
Expr rounded_width(Config c, const std::string& label, double width, const WidthRounding& rule);

/// Rounds the integer nearest to width × factor. Formulas call the result `expanded_widths[n]`, where n is the value of `width`. Throws
/// like `rounded_width`.
Expr expanded_width(Config c, Expr width, double factor, const WidthRounding& rule);

/// Python's int(round(x)), which rounds half to even.
double python_round(double x);

}  // namespace param_ledger
