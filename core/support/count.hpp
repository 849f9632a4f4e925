#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace param_ledger {

/// Elements of tensors, exactly. 128 bits: a model that transformers could build never comes near the end,
/// and what would pass it is refused (see `multiply` and `add`).
__extension__ typedef unsigned __int128 Count;

/// The product; throws Error{overflow} beyond 2^128 - 1.
Count multiply(Count a, Count b);
/// The sum; throws Error{overflow} beyond 2^128 - 1.
Count add(Count a, Count b);

/// Decimal digits, e.g. "8030261248".
std::string digits(Count value);
/// The same at the end of `room`.
constexpr std::size_t most_digits = 39;
std::string_view write_digits(char (&room)[most_digits], Count value);
/// What is added from one to the other, with its sign: "+1291845632", "-4096", "0".
std::string signed_difference(Count from, Count to);
/// Decimal digits in groups of three, e.g. "8,030,261,248".
std::string english_digits(Count value);
/// A number in a sentence: grouped in the same way, or, in a program built with PARAM_LEDGER_WRITES_TERMS, a term: the mark and the digits,
/// which the page groups as its reader's language does.
std::string grouped_digits(Count value);
/// U+FDD0, which is no character and in no text.
constexpr std::string_view term_mark = "\xEF\xB7\x90";

}  // namespace param_ledger
