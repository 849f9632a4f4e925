#include "core/inputs/tensors/json_scanner.hpp"

#include <algorithm>
#include <cstring>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/json/json_refusal.hpp"
#include "core/json/json_text.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "core/support/utf16.hpp"

namespace param_ledger {

namespace {

/// The position of the first byte at or after `i` that cannot simply be copied from a string: a quote, a backslash, a control character or
/// a non-ASCII byte. Tests eight bytes at a time: a header of 75 MB takes 235 ms instead of 258.
std::size_t plain_end(std::string_view text, std::size_t i) {
  constexpr std::uint64_t ones = 0x0101'0101'0101'0101U, tops = 0x8080'8080'8080'8080U;
  std::uint64_t eight = 0;
  for (; i + sizeof eight <= text.size(); i += sizeof eight) {
    std::memcpy(&eight, text.data() + i, sizeof eight);
    const std::uint64_t quote = eight ^ (ones * '"'), slash = eight ^ (ones * '\\');
    const std::uint64_t special = (quote - ones) | (slash - ones) | (eight - ones * 0x20U) | eight;
    if ((special & tops) != 0) break;
  }
  const auto special = [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) - 0x20U >= 0x60U; };
  while (i < text.size() && !special(text[i])) ++i;
  return i;
}

}  // namespace

void JsonScanner::refuse_at(std::size_t place, Text what) {
  refuse_json(text_, std::min(place, text_.size()), {"This cannot be read: ", what, " (byte ", digits(place), ")."});
}

void JsonScanner::expect(char c, Text what) {
  if (!take(c) && !stopped_) refuse(concat({what, " is missing"}));
}

std::string_view JsonScanner::string(Text what, std::string& unescaped) {
  expect('"', what);
  const std::size_t begin = at_;
  at_ = plain_end(text_, at_);
  if (at_ < text_.size() && text_[at_] == '"') return text_.substr(begin, at_++ - begin);
  unescaped.assign(text_, begin, at_ - begin);
  unescape(unescaped);
  return unescaped;
}

void JsonScanner::unescape(std::string& out) {
  for (;;) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && static_cast<unsigned char>(text_[at_]) >= 0x20) ++at_;
    const std::string_view run = text_.substr(begin, at_ - begin);
    if (!is_utf8(run)) refuse_at(begin, "invalid UTF-8 in a string");
    out += run;
    if (at_ == text_.size()) refuse("the end of a string is missing");
    const char c = text_[at_++];
    if (c == '"') return;
    if (c != '\\') refuse_at(at_ - 1, "a control character in a string");
    const char escape = at_ < text_.size() ? text_[at_++] : '\0';
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t known = letters.find(escape); known != std::string_view::npos && escape != '\0') {
      out += meanings[known];
      continue;
    }
    if (escape != 'u') refuse_at(at_ - 1, "an escape that JSON does not have");
    std::uint32_t point = hex4();
    if (point >= 0xd800 && point < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
      at_ += 2;
      const std::uint32_t low = hex4();
      if (low < 0xdc00 || low > 0xdfff) refuse("half of a character in an escape");
      point = 0x10000 + ((point - 0xd800) << 10U) + (low - 0xdc00);
    }
    if (point >= 0xd800 && point <= 0xdfff) refuse("half of a character in an escape");
    put_utf8(out, point);
  }
}

std::uint32_t JsonScanner::hex4() {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    const int digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) refuse("four hexadecimal digits are missing after \\u");
    value = value << 4U | static_cast<std::uint32_t>(digit);
    ++at_;
  }
  return value;
}

std::uint64_t JsonScanner::whole(Text what) {
  peek();
  const std::size_t begin = at_;
  std::uint64_t value = 0;
  bool fits = true;
  for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
    const auto figure = static_cast<std::uint64_t>(text_[at_] - '0');
    fits = fits && value <= (~std::uint64_t{0} - figure) / 10;
    value = 10 * value + figure;
  }
  const char next = at_ < text_.size() ? text_[at_] : '\0';
  if (at_ == begin || next == '.' || next == 'e' || next == 'E') refuse_at(begin, concat({what, " is not an integer of at least 0"}));
  if (at_ > begin + 1 && text_[begin] == '0') refuse_at(begin, "a number that begins with 0");
  if (!fits) refuse_at(begin, concat({what, " exceeds 64 bits"}));
  return value;
}

void JsonScanner::number() {
  const std::size_t begin = at_;
  const auto figures = [&] {
    const std::size_t first = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == first) refuse_at(begin, "a number that does not end");
  };
  if (text_[at_] == '-') ++at_;
  const bool zero = at_ < text_.size() && text_[at_] == '0';
  const std::size_t first = at_;
  figures();
  if (zero && at_ > first + 1) refuse_at(begin, "a number that begins with 0");
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    figures();
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    figures();
  }
}

void JsonScanner::word(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) refuse("a value is missing");
  at_ += word.size();
}

void JsonScanner::skip(unsigned depth) {
  if (depth == deepest_nesting) throw Error{ErrorCode::too_deep, "", "The text is nested too deeply."};
  switch (const char c = peek()) {
    case '{': object("an object", [&](std::string_view) { skip(depth + 1); }); return;
    case '[': list("a list", [&] { skip(depth + 1); }); return;
    case '"': string("a string"); return;
    case 't': word("true"); return;
    case 'f': word("false"); return;
    case 'n': word("null"); return;
    default:
      if (c != '-' && !is_digit(c)) refuse("a value is missing");
      number();
  }
}

void JsonScanner::end() {
  if (peek() != '\0' || at_ != text_.size()) refuse("something follows the end of the JSON");
}

}  // namespace param_ledger
