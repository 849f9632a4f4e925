#pragma once

#include <string_view>

namespace param_ledger {

/// Parses a JSON number, NaN, Infinity or -Infinity as a double. A number that is an integer of up to 19 digits, multiplied or divided by a
/// power of ten up to 10^19, is rounded correctly, as in Python. That covers nearly all numbers in configurations. Any other number may be
/// rounded to the wrong one of two doubles if it is very close to halfway between them.
double decimal(std::string_view number);

}  // namespace param_ledger
