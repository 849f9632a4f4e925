#include "core/json_tokens.hpp"

#include <initializer_list>

namespace param_ledger {

namespace {

using Kind = JsonToken::Kind;

JsonToken word_at(std::string_view text, std::size_t i, std::initializer_list<std::string_view> words, Kind kind) {
  for (const std::string_view word : words)
    if (text.substr(i, word.size()) == word) return {kind, i + word.size()};
  return {};
}

JsonToken string_at(std::string_view text, std::size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\') ++i;
  return i < text.size() ? JsonToken{Kind::string, i + 1} : JsonToken{};
}

JsonToken number_at(std::string_view text, const std::size_t begin) {
  std::size_t i = begin;
  const auto skip = [&](char a, char b) {
    const bool there = i < text.size() && (text[i] == a || text[i] == b);
    if (there) ++i;
    return there;
  };
  const auto skip_digits = [&] {
    const std::size_t first = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > first;
  };
  const bool negative = skip('-', '-');
  if (!skip('0', '0') && !skip_digits()) return {};
  const std::string_view digits = text.substr(begin + negative, i - begin - negative);
  const std::string_view largest = negative ? "9223372036854775808" : "18446744073709551615";
  bool integer = digits.size() < largest.size() || (digits.size() == largest.size() && digits <= largest);
  if (skip('.', '.')) {
    if (!skip_digits()) return {};
    integer = false;
  }
  if (skip('e', 'E')) {
    skip('+', '-');
    if (!skip_digits()) return {};
    integer = false;
  }
  return {integer ? Kind::integer : Kind::number, i};
}

}  // namespace

JsonToken token_at(std::string_view text, std::size_t i) {
  switch (text[i]) {
    case '[':
    case ']':
    case '{':
    case '}':
    case ':':
    case ',': return {Kind::other, i + 1};
    case '"': return string_at(text, i);
    case 't':
    case 'f':
    case 'n': return word_at(text, i, {"true", "false", "null"}, Kind::other);
    case 'N':
    case 'I': return word_at(text, i, {"NaN", "Infinity"}, Kind::number);
    case '-':
      if (const JsonToken infinity = word_at(text, i, {"-Infinity"}, Kind::number); infinity.kind != Kind::none) return infinity;
      break;
    default: break;
  }
  return number_at(text, i);
}

std::size_t token_begin(std::string_view text, std::size_t offset) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = is_blank(text[i]) ? i + 1 : token_at(text, i).end;
    if (end > offset) return i;
    i = end;
  }
  return text.size();
}

}  // namespace param_ledger
