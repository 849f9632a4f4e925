#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/count.hpp"
#include "core/text.hpp"

// What texts of lines have in common: the lines, and the numbers in them.
namespace param_ledger {

/// Calls `visit(line, number)` for each line, numbered from 1, until it says false.
template <class Visit>
void each_line(std::string_view text, const Visit& visit) {
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!visit(text.substr(0, end), number)) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// "100,480", "100480", "1_000", "(768)": a whole number as tables write it, of at most 26 characters.
inline std::optional<Count> whole_number(std::string_view text) {
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (text.empty() || text.size() > 26 || !is_digit(text.front()) || !is_digit(text.back())) return std::nullopt;
  Count out = 0;
  for (const char c : text) {
    if (c == ',' || c == '_') continue;
    if (!is_digit(c)) return std::nullopt;
    out = out * 10 + static_cast<Count>(c - '0');
  }
  return out;
}

/// Whether a file may hold so many.
constexpr bool fits(Count elements) { return elements <= ~std::uint64_t{0}; }

}  // namespace param_ledger
