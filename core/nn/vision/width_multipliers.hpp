#pragma once

#include <string>
#include <vector>

#include "core/config/config.hpp"

namespace param_ledger {

// Widths that convolutional networks derive from multipliers, and lists of numbers and switches per stage.

/// A list of numbers that may have fractions; `fallback` if missing. Refuses null and other types.
std::vector<double> numbers(Config c, Text name, std::vector<double> fallback);
/// A list of switches.
std::vector<bool> switches(Config c, Text name, std::vector<bool> fallback);

/// ⌊factor × base⌋ in Python's doubles. If the factor is not an integer, formulas call it `name` (`symbol`). Refuses negative factors and
/// products that a double cannot hold exactly, naming `field`.
Expr multiplied_width(Config c, Text field, double factor, Expr base, const std::string& name, const std::string& symbol);

/// The multiple of `divisor` nearest to `width`, at least `least` and at least nine tenths of `width`: MobileNet's rule. Formulas call it
/// `rounded_widths[label]`. Refuses a divisor of 0 and widths above 10^15.
Expr rounded_width(Config c, const std::string& label, double width, Count divisor, Count least);

/// The rounded width of round(width × factor), where the width is not a constant: formulas call it `expanded_widths[its value]`.
Expr expanded_width(Config c, Text field, Expr width, double factor, Count divisor, Count least);

/// int(round(x)): rounds half to even.
double python_round(double x);

}  // namespace param_ledger
