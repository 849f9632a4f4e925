#include "core/inputs/bytes/line_ends.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

constexpr std::string_view separators[] = {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

/// The length in bytes of the line end at the start of a non-empty text; 0 if there is none, or if it is a single LF.
std::size_t line_end(std::string_view text) {
  if (text.front() == '\r') return text.size() > 1 && text[1] == '\n' ? 2 : 1;
  for (const std::string_view separator : separators)
    if (text.starts_with(separator)) return separator.size();
  return 0;
}

}  // namespace

bool has_other_line_ends(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('\r', at)) != std::string_view::npos; ++at)
    if (text.substr(at + 1, 1) != "\n") return true;
  return std::any_of(std::begin(separators), std::end(separators),
                     [&](std::string_view separator) { return text.find(separator) != std::string_view::npos; });
}

bool has_escapes(std::string_view text) { return text.find("\x1b[") != std::string_view::npos; }

std::string without_escapes(std::string_view text) {
  constexpr std::string_view begin = "\x1b[";
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t escape = text.find(begin, at);
    out += text.substr(at, escape - at);
    if (escape == std::string_view::npos) break;
    // After "ESC [", an escape sequence consists of parameters and one final character.
    const std::size_t end = text.find_first_not_of("0123456789;:<=>? ", escape + begin.size());
    at = std::min(end, text.size() - 1) + 1;
  }
  return out;
}

std::string with_line_feeds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = line_end(text);
    out += end > 0 ? '\n' : text.front();
    text.remove_prefix(std::max<std::size_t>(end, 1));
  }
  return out;
}

}  // namespace param_ledger
