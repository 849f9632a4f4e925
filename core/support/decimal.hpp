#pragma once

#include <string_view>

namespace param_ledger {

/// Parses a JSON number, NaN, Infinity or -Infinity as a double. Correctly rounded, as in Python, for up to 19 digits and exponents from
/// -19 to 19, which is more than any field needs. Beyond that a near tie may round to the neighbouring double.
double decimal(std::string_view number);

}  // namespace param_ledger
