#pragma once

#include <string_view>

#include "core/json/json.hpp"
#include "core/support/count.hpp"

// Members of an object where nothing is refused: what is missing or of another kind is the fallback.
namespace param_ledger {

std::string_view word_in(Json object, std::string_view field, std::string_view fallback = {});
/// A whole number that is not negative.
Count number_in(Json object, std::string_view field, Count fallback);
bool flag_in(Json object, std::string_view field);

}  // namespace param_ledger
