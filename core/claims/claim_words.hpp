#pragma once

#include <string>
#include <string_view>

#include "core/claims/stated_claim.hpp"
#include "core/claims/stated_numbers.hpp"

namespace param_ledger {

/// What the words around a number say about it.
struct ClaimWords {
  Claim claim;              ///< without its number
  std::string text;         ///< the number as `read_quantity` takes it
  bool rate = false;        ///< a sign "%" is before the number
  bool operations = false;  ///< there are words for operations
  bool memory = false;      ///< there are words for memory
};

/// Reads the words around a number.
ClaimWords claim_words(const StatedNumber& number, std::string_view around);

/// Between two numbers, the position where the words for the first one end. `before`: the words before the first number.
std::size_t boundary(std::string_view before, std::string_view between);

}  // namespace param_ledger
