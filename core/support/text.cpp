#include "core/support/text.hpp"

#include <algorithm>

#include "core/support/characters.hpp"

namespace param_ledger {

namespace {

bool separates(char c) { return c == '_' || c == '-' || c == '.' || c == ' '; }

}  // namespace

std::string concat(std::initializer_list<std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  std::string out;
  out.reserve(size);
  for (const std::string_view piece : pieces) out += piece;
  return out;
}

std::string_view clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) --most;
  return text.substr(0, most);
}

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (!separates(c)) out += lower(c);
  return out;
}

bool same_folded(std::string_view a, std::string_view b) {
  for (std::size_t i = 0, k = 0;; ++i, ++k) {
    while (i < a.size() && separates(a[i])) ++i;
    while (k < b.size() && separates(b[k])) ++k;
    if (i == a.size() || k == b.size()) return i == a.size() && k == b.size();
    if (lower(a[i]) != lower(b[k])) return false;
  }
}

bool nearly(std::string_view typed, std::string_view known) {
  const std::size_t shorter = std::min(typed.size(), known.size()), longer = std::max(typed.size(), known.size());
  // A word of four letters may lack a letter or have an extra one, but no letter may be replaced: "bark" is not a misspelt "bart". Shorter
  // words must have equal letters.
  const std::size_t most = shorter < 4 ? 0 : shorter < 8 ? 1 : 2;
  const bool replaces = shorter >= 5;
  if (longer - shorter > 2) return false;
  std::size_t front = 0, back = 0;
  while (front < shorter && lower(typed[front]) == lower(known[front])) ++front;
  while (back < shorter - front && lower(typed[typed.size() - 1 - back]) == lower(known[known.size() - 1 - back])) ++back;
  const std::string_view mistyped = typed.substr(front, typed.size() - front - back),
                         meant = known.substr(front, known.size() - front - back);
  if (mistyped.size() > most || meant.size() > most || (!replaces && !mistyped.empty() && !meant.empty())) return same_folded(typed, known);
  return std::none_of(mistyped.begin(), mistyped.end(), is_digit) && std::none_of(meant.begin(), meant.end(), is_digit);
}

}  // namespace param_ledger
