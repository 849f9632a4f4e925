#include "core/claims/claim_figures.hpp"

#include <algorithm>
#include <optional>

#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

char char_at(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : '\0'; }

std::size_t after_digits(std::string_view text, std::size_t at) {
  while (is_digit(char_at(text, at))) ++at;
  return at;
}

/// The separator of groups of three digits at position `at`, which follows `leading` digits; NUL if no group follows. A point separates
/// groups only if there are at least two ("1.234.567"), because "1.234" is a decimal number.
char separator_at(std::string_view text, std::size_t at, std::size_t leading) {
  const char c = char_at(text, at);
  constexpr std::size_t most_leading = 3, group = 4;
  if (leading == 0 || leading > most_leading || !three_figures(text, at + 1)) return '\0';
  if (c == '.') return char_at(text, at + group) == c && three_figures(text, at + group + 1) ? c : '\0';
  return c == ',' || c == '_' || c == '\'' || c == ' ' ? c : '\0';
}

/// How an exponent is written in the result ("e" or "^"), and where its digits begin.
struct Exponent {
  std::string_view sign;
  std::size_t digits;
};

std::optional<Exponent> exponent_at(std::string_view text, std::size_t at) {
  const char c = char_at(text, at);
  if (c == 'e' || c == '^') {
    const std::size_t begin = at + (c == 'e' && char_at(text, at + 1) == '+' ? 2 : 1);
    if (!is_digit(char_at(text, begin))) return std::nullopt;
    return Exponent{text.substr(at, 1), begin};
  }
  constexpr std::string_view ten = "10^";
  std::size_t begin = after_spaces(text, at);
  const bool times = char_at(text, begin) == '*' || (char_at(text, begin) == 'x' && !is_letter(char_at(text, begin + 1)));
  if (times) begin = after_spaces(text, begin + 1);
  if (begin == at || !text.substr(begin).starts_with(ten)) return std::nullopt;
  return Exponent{"e", begin + ten.size()};
}

}  // namespace

std::size_t after_spaces(std::string_view text, std::size_t at) {
  while (char_at(text, at) == ' ') ++at;
  return at;
}

std::string read_figures(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  at = after_digits(text, begin);
  const char separator = separator_at(text, at, at - begin);
  constexpr std::size_t group = 4;
  if (separator != '\0')
    while (char_at(text, at) == separator && three_figures(text, at + 1)) at += group;
  const char point = char_at(text, at);
  if ((point == '.' || point == ',') && point != separator && is_digit(char_at(text, at + 1))) at = after_digits(text, at + 1);
  std::string out(text.substr(begin, at - begin));
  std::replace(out.begin(), out.end(), '\'', '_');
  if (const std::optional<Exponent> exponent = exponent_at(text, at)) {
    at = after_digits(text, exponent->digits);
    out += concat({exponent->sign, text.substr(exponent->digits, at - exponent->digits)});
  }
  return out;
}

}  // namespace param_ledger
