#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace param_ledger {

/// Reads the number at `at`, and moves `at` past it. The text is in lower-case ASCII.
///
///     figures  = digits [ groups ] [ ( "." | "," ) digits ] [ exponent ]
///     groups   = separator digit digit digit { separator digit digit digit }      "1,234", "1_234", "1'234", "1 234", "1.234.567"
///     exponent = "e" [ "+" ] digits | "^" digits | [ "*" | "x" ] "10^" digits
///
/// The result is in the form that `read_quantity` takes: "8.03e9" for "8.03 * 10^9", and "2^30" unchanged.
std::string read_figures(std::string_view text, std::size_t& at);

/// The position after the spaces at `at`.
std::size_t after_spaces(std::string_view text, std::size_t at);

}  // namespace param_ledger
