#pragma once

#include <string>
#include <vector>

#include "core/config/config.hpp"

namespace param_ledger {

// Widths that follow from factors, as networks of convolutions say them, and lists of factors and switches, one for each stage.

/// A list of numbers that may hold fractions; `fallback` where missing. Refuses null and what is no number.
std::vector<double> numbers(Config c, Text name, std::vector<double> fallback);
/// A list of switches.
std::vector<bool> switches(Config c, Text name, std::vector<bool> fallback);

/// ⌊factor × base⌋ in Python's doubles; formulas write it as `name` (`symbol`) where the factor is no whole number. Refuses, naming
/// `field`, factors below 0 and products beyond what a double counts exactly.
Expr times_factor(Config c, Text field, double factor, Expr base, const std::string& name, const std::string& symbol);

/// The nearest multiple of `divisor` to `width`, at least `least`, and not less than nine tenths of it: what MobileNet and those after
/// it do to widths. Formulas write it as `rounded_widths[label]`. Refuses a divisor of 0 and widths beyond 10^15.
Expr rounded_width(Config c, const std::string& label, double width, Count divisor, Count least);

/// The same of round(width × factor), where the width is no number of the code: `expanded_widths[its value]`.
Expr expanded_width(Config c, Text field, Expr width, double factor, Count divisor, Count least);

/// int(round(x)): a half to the even number.
double python_round(double x);

}  // namespace param_ledger
