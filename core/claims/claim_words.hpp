#pragma once

#include <string>
#include <string_view>

#include "core/claims/stated_claim.hpp"
#include "core/claims/stated_numbers.hpp"

namespace param_ledger {

/// What the words around a number say about it.
struct ClaimWords {
  Claim claim;              ///< the claim without its number
  std::string text;         ///< the number in the form that `read_quantity` takes
  bool rate = false;        ///< the words contain "%"
  bool operations = false;  ///< the words name operations
  bool memory = false;      ///< the words name memory
};

/// Reads the words before and after a number.
ClaimWords claim_words(const StatedNumber& number, std::string_view before, std::string_view after);

/// The only number type that a text names, such as "q8_0" or "fp16"; empty if it names none or several.
std::string only_type(std::string_view text);

/// The position of the first sign or word between two numbers that separates their clauses; npos if there is none.
std::size_t separator(std::string_view between);

/// The position in the text between two numbers where the words about the first number end. `before`: the words before the first number.
std::size_t boundary(std::string_view before, std::string_view between);

}  // namespace param_ledger
