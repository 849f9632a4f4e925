#include "core/inputs/printed/printed_words.hpp"

#include <algorithm>

#include "core/support/characters.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

std::optional<std::vector<std::uint64_t>> integers_written(std::string_view text) {
  constexpr std::string_view size = "torch.Size(";
  text = trimmed(text);
  if (text.starts_with(size) && text.ends_with(')')) text = text.substr(size.size(), text.size() - size.size() - 1);
  if (text.size() >= 2 && (text.front() == '(' || text.front() == '[')) text = text.substr(1, text.size() - 2);
  std::vector<std::uint64_t> out;
  while (!(text = trimmed(text)).empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::optional<std::uint64_t> value = integer_written(trimmed(text.substr(0, end)));
    if (!value) return {};
    out.push_back(*value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

PrintedArguments::PrintedArguments(std::string_view text) {
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    // An argument also ends at the end of a line.
    if (i < text.size() && ((c != ',' && c != '\n') || depth > 0)) continue;
    if (const std::string_view piece = trimmed(text.substr(begin, i - begin)); !piece.empty()) pieces_.push_back(piece);
    begin = i + 1;
  }
}

std::string_view PrintedArguments::named(std::string_view name) const {
  for (const std::string_view piece : pieces_)
    if (piece.size() > name.size() && piece.starts_with(name) && piece[name.size()] == '=') return trimmed(piece.substr(name.size() + 1));
  return {};
}

std::string_view PrintedArguments::at(std::size_t place) const {
  return place < pieces_.size() && !holds(pieces_[place], "=") ? pieces_[place] : std::string_view{};
}

bool PrintedArguments::flag(std::string_view name, bool otherwise) const {
  const std::string_view value = named(name);
  return value.empty() ? otherwise : value == "True";
}

}  // namespace param_ledger
