#pragma once

#include <string_view>

// Tests and conversions of ASCII characters, independent of the locale.
namespace param_ledger {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether an identifier can begin with the character.
constexpr bool begins_name(char c) { return is_letter(c) || c == '_'; }
constexpr bool in_word(char c) { return begins_name(c) || is_digit(c); }

/// Whether the character is a space, a tab or part of a line end.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Removes blanks from both ends of the text.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace param_ledger
