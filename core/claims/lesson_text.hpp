#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/support/count.hpp"

// Evaluates the expressions in a lesson. Errors name `path`, the location of the expression.
namespace param_ledger {

Fraction value_of(std::string_view expression, const std::string& path, const std::vector<Binding>& names);
/// Throws Error if the value is not a whole number.
Count whole_value_of(std::string_view expression, const std::string& path, const std::vector<Binding>& names);
/// Whether a condition holds: `a = b`, `a ≠ b`, `a < b` or `a > b`.
bool is_true(std::string_view condition, const std::string& path, const std::vector<Binding>& names);

/// Replaces the expressions in braces by their values: `{V * d}` becomes digits, and `{…|worked}` becomes the expression with its numbers.
/// Formats that depend on the user's language (`{…|short}`, `{…|percent}`, `{…|times}`) become a number between marks, which the page
/// formats.
std::string filled_text(std::string_view text, const std::string& path, const std::vector<Binding>& names);

}  // namespace param_ledger
