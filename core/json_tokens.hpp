#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace param_ledger {

/// A token of JSON as Python writes it: NaN, Infinity and -Infinity are numbers.
struct JsonToken {
  enum class Kind : std::uint8_t {
    none,
    integer,  ///< of 64 bits
    number,   ///< any other number
    string,
    other,  ///< a bracket, a colon, a comma, true, false, null
  };
  Kind kind = Kind::none;
  std::size_t end = std::string_view::npos;  ///< one past it
};

/// The token that begins at `i`, where one does. What stands in a string is not checked.
JsonToken token_at(std::string_view text, std::size_t i);

/// Where the token begins that ends beyond `offset` or is none, all before it being tokens and blanks; else the end of the text.
std::size_t token_begin(std::string_view text, std::size_t offset);

/// True for what may stand between tokens.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace param_ledger
