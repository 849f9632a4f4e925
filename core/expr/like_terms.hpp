#pragma once

#include <cstdint>
#include <span>

#include "core/expr/expr.hpp"

namespace param_ledger {

/// The elements of one tensor and its repeats, outermost first. It occurs once per combination of them.
struct Term {
  Expr elements;
  std::span<const Expr> repeats;
};

/// Which quotients a formula may treat as exact: all that are not rounded for these values, or only those that the family requires to be,
/// so that the formula also holds for other values.
enum class Quotients : std::uint8_t { exact_here, exact_always };

/// The sum of all terms as one closed formula. Like terms are collected within each repeat, products come before single names, and an exact
/// quotient times its divisor becomes the dividend. An empty list gives the literal 0. A product is multiplied out unless that gives more
/// than 256 summands or one with more than 8 factors. Linear in the number of terms.
Expr collect(Pool& pool, std::span<const Term> terms, Quotients exact = Quotients::exact_here);

}  // namespace param_ledger
