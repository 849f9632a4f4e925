#pragma once

#include <string>
#include <vector>

#include "core/expr.hpp"

namespace param_ledger {

/// How an expression is written out.
enum class Notation : std::uint8_t {
  names,           ///< intermediate_size × hidden_size
  numbers,         ///< 14,336 × 4,096
  symbols,         ///< 2·V·d + L·(2·d² + …)
  symbol_numbers,  ///< the same line with numbers: 2·128,256·4,096 + 32·(2·4,096² + …)
};

/// The expression as one line of text. Marks the names that occur as used.
std::string write(Expr expr, Notation notation);

/// Elements of one tensor, and how often it occurs: once per combination of `repeats`, outermost first.
struct Term {
  Expr elements;
  std::vector<Expr> repeats;
};

/// The sum of all terms as one closed formula: like terms collected within each repeat, products before single names,
/// a quotient times its divisor written as the dividend. Its value is the sum. An empty list gives the literal 0.
Expr collect(Pool& pool, const std::vector<Term>& terms);

}  // namespace param_ledger
