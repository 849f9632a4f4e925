#pragma once

#include "core/expr/expr.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

// Conditions on dimensions that a family requires. A configuration that violates one of them is rejected.
namespace param_ledger {

/// The field to name in an error about an expression: the first name that occurs in it. Empty if none occurs.
Text field_of(Expr e);

/// Throws Error{inconsistent} naming the first field of `a` unless both are equal.
void require_equal(Expr a, Expr b);

/// Throws Error{out_of_range} naming the first field of `e` unless `e` is at least 1.
void require_positive(Expr e, Refused kind = Refused::no);

/// Throws Error{too_large} if there are too many layers to list them one by one.
void require_listable(Expr n_layers);

/// Throws Error{not_divisible} naming the first field of `dividend` unless `divisor` divides it. Also records in the
/// pool that divisibility is required.
void require_multiple(Expr dividend, Expr divisor);

}  // namespace param_ledger
