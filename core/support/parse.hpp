#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

#include "core/support/count.hpp"
#include "core/support/text.hpp"

// Small functions that compare words, split text into lines and parse whole numbers.
namespace param_ledger {

/// Whether the list contains the word.
inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Splits the text at its line feeds and calls `visit(line, number)` for each line, numbered from 1, until it returns false. An empty rest
/// after the last line feed is not a line.
template <class Visit>
void each_line(std::string_view text, const Visit& visit) {
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!visit(text.substr(0, end), number)) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Parses the decimal digits at the start of `text` and removes them. Returns nothing, and leaves `text` unchanged, if there are none or if
/// the value does not fit `T`. A sign is not accepted.
template <class T>
constexpr std::optional<T> parse_integer(std::string_view& text) {
  constexpr T most = static_cast<T>(-1) > T{0} ? static_cast<T>(-1) : std::numeric_limits<T>::max();
  T value = 0;
  std::size_t end = 0;
  for (; end < text.size() && is_digit(text[end]); ++end) {
    const T digit = static_cast<T>(text[end] - '0');
    if (value > most / 10 || (value == most / 10 && digit > most % 10)) return std::nullopt;
    value = static_cast<T>(10 * value + digit);
  }
  if (end == 0) return std::nullopt;
  text.remove_prefix(end);
  return value;
}

/// Parses a text that consists of 1 to 18 decimal digits. Returns nothing for any other text.
inline std::optional<std::uint64_t> integer_written(std::string_view text) {
  constexpr std::size_t most_figures = 18;
  if (text.empty() || text.size() > most_figures || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) value = 10 * value + static_cast<std::uint64_t>(c - '0');
  return value;
}

/// Whether exactly three digits follow at position `at`, so that the separator before them may be a thousands separator.
constexpr bool three_figures(std::string_view text, std::size_t at) {
  const auto figure = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  return figure(at) && figure(at + 1) && figure(at + 2) && !figure(at + 3);
}

/// Parses a whole number of at most 26 characters, optionally in parentheses: "100480", "(768)". Single commas and underscores between its
/// digits are skipped: "100,480", "1_000". Returns nothing for any other text.
inline std::optional<Count> whole_number(std::string_view text) {
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (text.empty() || text.size() > 26 || !is_digit(text.front()) || !is_digit(text.back())) return std::nullopt;
  Count out = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == ',' || text[i] == '_') && is_digit(text[i - 1])) continue;
    if (!is_digit(text[i])) return std::nullopt;
    out = out * 10 + static_cast<Count>(text[i] - '0');
  }
  return out;
}

}  // namespace param_ledger
