#pragma once

#include <string_view>

namespace param_ledger {

/// The double nearest to a number as JSON writes it, or NaN, Infinity, -Infinity. Exactly that, as Python has it, for up to 19 digits
/// and exponents to ±19, which is more than any field needs; beyond it may be a neighbour, where two are all but as near.
double decimal(std::string_view number);

}  // namespace param_ledger
