#pragma once

#include "core/expr/expr.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

// What a model's dimensions must be to one another: a family says it, and the configuration is refused where it does not hold.
namespace param_ledger {

/// The field to look at for an expression: the first that it names.
Text field_of(Expr e);

/// Throws Error{inconsistent} naming the first field of `a` unless the two are equal.
void require_equal(Expr a, Expr b);

/// Throws Error{out_of_range} naming the field of `e` unless it is at least 1.
void require_positive(Expr e, Refused kind = Refused::no);

/// Throws Error{too_large} where layers of several kinds would have to be listed one by one beyond reason.
void require_listable(Expr n_layers);

/// Throws Error{not_divisible} naming the first field of `dividend` unless `divisor` divides it.
void require_multiple(Expr dividend, Expr divisor);

}  // namespace param_ledger
