#include "core/json/json_refusal.hpp"

#include <algorithm>

#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// A hint about a common mistake, recognised by the beginning of the text or by the text at the error; empty if there is none.
std::string_view hint(std::string_view text, std::string_view from) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return " The text is empty.";
  const std::string_view start = text.substr(first);
  if (start.starts_with('<')) return " This looks like a web page, not the raw file.";
  if (start.starts_with("version")) return " This looks like a Git LFS pointer, not the file itself.";
  if (start.starts_with("```")) return " Leave out the Markdown fence (```).";
  const auto is = [&](auto... words) { return (from.starts_with(words) || ...); };
  if (is('\'')) return " JSON strings need double quotes; a Python dict needs json.dumps first.";
  if (is('}', ']')) return " Is there a comma after the last item?";
  if (is('/', '#')) return " JSON has no comments.";
  if (is("True", "False", "None")) return " JSON writes true, false and null in lower case.";
  return "";
}

}  // namespace

void refuse_json(std::string_view text, std::size_t offset, std::initializer_list<std::string_view> message) {
  std::uint64_t line = 1, column = 1;
  for (std::size_t i = 0; i < offset; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n' || (c == '\r' && text.substr(i + 1, 1) != "\n")) {
      ++line;
      column = 1;
    } else if ((c & 0xc0U) != 0x80U) {
      column += c < 0xf0U ? 1 : 2;  // a character outside the Basic Multilingual Plane takes two UTF-16 units
    }
  }
  throw Error{ErrorCode::malformed_json, "", concat(message), line, column};
}

void refuse_unexpected(std::string_view text, std::size_t offset, std::string_view wanted) {
  const std::string_view rest = text.substr(offset);
  const std::string what = rest.empty() ? "the text ends" : excerpt(rest) + " stands";
  refuse_json(text, offset, {"This is not JSON: ", what, " where ", wanted, " should be.", hint(text, rest)});
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 60;
  const std::size_t end = text.starts_with('"') ? text.find('"', 1) : text.find_first_of(" \t\r\n,:[]{}\"", 1) - 1;
  const std::string_view token = text.substr(0, end < text.size() ? end + 1 : end);
  std::size_t shown = 0;
  while (shown < std::min(token.size(), longest) && token[shown] >= ' ' && token[shown] <= '~') ++shown;
  return shown == 0 ? "something else" : concat({"'", token.substr(0, shown), shown < token.size() ? "…'" : "'"});
}

}  // namespace param_ledger
