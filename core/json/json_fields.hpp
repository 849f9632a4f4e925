#pragma once

#include <string_view>

#include "core/json/json.hpp"
#include "core/support/count.hpp"

// Lenient reads of an object's members: a missing value, or a value of another type, gives the fallback (false for flags).
namespace param_ledger {

std::string_view word_in(Json object, std::string_view field, std::string_view fallback = {});
/// Reads a non-negative integer.
Count number_in(Json object, std::string_view field, Count fallback);
bool flag_in(Json object, std::string_view field);

}  // namespace param_ledger
