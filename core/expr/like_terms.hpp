#pragma once

#include <cstdint>
#include <span>

#include "core/expr/expr.hpp"

namespace param_ledger {

/// Elements of one tensor, and how often it occurs: once per combination of `repeats`, outermost first.
struct Term {
  Expr elements;
  std::span<const Expr> repeats;
};

/// Which quotients a formula may take as exact: all that are for these values, or those alone that the family demands to be, so that the
/// formula holds for others, too.
enum class Quotients : std::uint8_t { exact_here, exact_always };

/// The sum of all terms as one closed formula: like terms collected within each repeat, products before single names,
/// an exact quotient times its divisor written as the dividend. Its value is the sum. An empty list gives the literal 0.
/// Products are multiplied out unless that gives more than 256 summands or one of more than 8 factors: such a product
/// stays as it is. Takes time in proportion to the terms.
Expr collect(Pool& pool, std::span<const Term> terms, Quotients exact = Quotients::exact_here);

}  // namespace param_ledger
