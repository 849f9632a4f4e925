#pragma once

#include <string_view>

namespace param_ledger {

/// Parses a JSON number, NaN, Infinity or -Infinity as a double. The result is correctly rounded, as in Python, for up to 19 digits and
/// exponents from -19 to 19, which is more than any field needs. Beyond these, a number halfway between two doubles may round to the wrong
/// one.
double decimal(std::string_view number);

}  // namespace param_ledger
