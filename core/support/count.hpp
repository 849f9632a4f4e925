#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace param_ledger {

/// A number of tensor elements. Exact: no model that transformers can build comes near 2^128, and `multiply` and `add` refuse what exceeds
/// it.
__extension__ typedef unsigned __int128 Count;

/// The product; throws Error{overflow} beyond 2^128 - 1.
Count multiply(Count a, Count b);
/// The sum; throws Error{overflow} beyond 2^128 - 1.
Count add(Count a, Count b);

/// The greatest common divisor; of a number and 0, that number.
Count common_divisor(Count a, Count b);

/// Decimal digits, e.g. "8030261248".
std::string digits(Count value);
/// Writes the digits at the end of `room` and returns them.
constexpr std::size_t most_digits = 39;
std::string_view write_digits(char (&room)[most_digits], Count value);
/// The change from one count to another, with its sign: "+1291845632", "-4096", "0".
std::string signed_difference(Count from, Count to);
/// Decimal digits in groups of three, e.g. "8,030,261,248".
std::string english_digits(Count value);
/// A number in a sentence, grouped in the same way. A program built with PARAM_LEDGER_WRITES_TERMS writes a term instead: the mark and the
/// plain digits, which the page groups in its reader's language.
std::string grouped_digits(Count value);
/// U+FDD0, a noncharacter that occurs in no text.
constexpr std::string_view term_mark = "\xEF\xB7\x90";

}  // namespace param_ledger
