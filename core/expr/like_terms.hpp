#pragma once

#include <cstdint>
#include <span>

#include "core/expr/expr.hpp"

namespace param_ledger {

/// One tensor's contribution to a sum: the number of its elements, multiplied by each of its repeat counts (such as the numbers of layers
/// and experts), outermost first.
struct Term {
  Expr elements;
  std::span<const Expr> repeats;
};

/// Which quotients may be simplified as exact divisions. `exact_here`: divisions rounded down that leave no remainder for the current
/// values. `exact_always`: only divisions for which the model family requires that they leave none, so that the formula is also valid for
/// other values.
enum class Quotients : std::uint8_t { exact_here, exact_always };

/// The sum of all terms as one closed formula. Like terms are collected within each repeat, products come before single names, and an exact
/// quotient times its divisor becomes the dividend unless that is a sum. An empty list gives the literal 0. A product is multiplied out
/// unless that gives more than 256 summands, or one with more than 8 factors or with a coefficient beyond 126 bits. The time is linear in
/// the number of terms.
Expr collect(Pool& pool, std::span<const Term> terms, Quotients exact = Quotients::exact_here);

}  // namespace param_ledger
