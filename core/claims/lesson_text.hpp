#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/support/count.hpp"

// Expressions in a lesson. Errors name `path`, where the expression stands.
namespace param_ledger {

Fraction value_of(std::string_view expression, const std::string& path, const std::vector<Binding>& names);
/// Throws Error if the value is not a whole number.
Count whole_value_of(std::string_view expression, const std::string& path, const std::vector<Binding>& names);
/// Of a condition: `a = b`, `a ≠ b`, `a < b` or `a > b`.
bool is_true(std::string_view condition, const std::string& path, const std::vector<Binding>& names);

/// A text with the values of its expressions in braces: `{V * d}` as digits, `{…|worked}` as the expression with its numbers. Values that
/// readers' languages write in different ways stand between marks: `{…|short}`, `{…|percent}`, `{…|times}`.
std::string filled_text(std::string_view text, const std::string& path, const std::vector<Binding>& names);

}  // namespace param_ledger
