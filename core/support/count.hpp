#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace param_ledger {

/// An exact non-negative integer, such as a number of tensor elements, bytes or operations. The operators wrap around; `multiply` and `add`
/// throw an Error instead.
__extension__ typedef unsigned __int128 Count;

/// The product of two counts. Throws Error{overflow} if it exceeds 2^128 - 1.
Count multiply(Count a, Count b);
/// The sum of two counts. Throws Error{overflow} if it exceeds 2^128 - 1.
Count add(Count a, Count b);

/// The greatest common divisor. If one of the numbers is 0, returns the other.
Count common_divisor(Count a, Count b);

/// The count in decimal digits, e.g. "8030261248".
std::string digits(Count value);
/// The number of decimal digits of 2^128 - 1.
constexpr std::size_t most_digits = 39;
/// Writes a count in decimal digits to the end of `room`, and returns the digits as a view.
std::string_view write_digits(char (&room)[most_digits], Count value);
/// The change from one count to another, with its sign: "+1291845632", "-4096", "0".
std::string signed_difference(Count from, Count to);
/// The count in decimal digits in groups of three, e.g. "8,030,261,248".
std::string english_digits(Count value);
/// The digits of a number in a sentence, grouped as by `english_digits`. A program built with PARAM_LEDGER_WRITES_TERMS returns `term_mark`
/// followed by the plain digits instead, and its caller groups them (web/support/numbers.ts).
std::string grouped_digits(Count value);
/// Marks a number that the caller must group: U+FDD0, a Unicode noncharacter that does not occur in ordinary text.
constexpr std::string_view term_mark = "\xEF\xB7\x90";

}  // namespace param_ledger
