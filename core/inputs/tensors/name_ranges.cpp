#include "core/inputs/tensors/name_ranges.hpp"

#include <algorithm>

#include "core/expr/index_set.hpp"
#include "core/json/value_text.hpp"
#include "core/support/characters.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The names that one segment of a dotted name stands for. Returns none if there are more than `budget`, or if a range ends before it
/// begins.
std::vector<std::string> expanded_piece(std::string_view piece, std::size_t budget) {
  const std::size_t begin = index_begin(piece);
  const std::string_view index = begin == std::string_view::npos ? std::string_view() : piece.substr(begin);
  const bool range = index.starts_with('[') || (index.find('-') != std::string_view::npos && is_digit(index.front()));
  if (!range) return {std::string(piece)};
  std::vector<std::string> out;
  for (const Run& run : spelled(index)) {
    if (run.last < run.first || run.last - run.first >= budget || out.size() >= budget) return {};
    for (std::uint64_t i = run.first; i <= run.last; ++i) out.push_back(concat({piece.substr(0, begin), digits(i)}));
  }
  return out;
}

}  // namespace

std::vector<std::string> expanded_names(std::string_view name, std::size_t& budget) {
  std::vector<std::string> out{""};
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::vector<std::string> pieces = expanded_piece(name.substr(begin, end - begin), budget);
    if (pieces.empty() || out.size() > budget / pieces.size()) return {};
    std::vector<std::string> longer;
    longer.reserve(out.size() * pieces.size());
    for (const std::string& before : out)
      for (const std::string& piece : pieces) longer.push_back(begin == 0 ? piece : concat({before, ".", piece}));
    out = std::move(longer);
    begin = end + 1;
  }
  if (out.size() > budget) return {};
  budget -= out.size();
  return out;
}

}  // namespace param_ledger
