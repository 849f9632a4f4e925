#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// Calls `body(before, word)` for each component of a tensor name, except the first, that is an index or an index range: `word` is the
/// component, and `before` the name up to the dot in front of it. Stops when `body` returns true, and returns whether it did.
template <class Body>
bool any_index(std::string_view name, Body&& body) {
  for (std::size_t start = 0; start < name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    const std::string_view word = name.substr(start, end - start);
    if (start > 0 && !word.empty() && (word[0] == '[' || is_digit(word[0])) && is_index(word) && body(name.substr(0, start - 1), word))
      return true;
    start = end + 1;
  }
  return false;
}

/// A repeated row's name, split at the index of its outermost repeat, or at the first index between two dots if Row::repeated_at gives no
/// such index: "model.layers", "[3-60]", "mlp.gate.weight". The parts are views of the name.
struct Repeated {
  std::string_view before;  ///< empty if the row is not repeated, or if its name has no index between two dots
  std::string_view index;
  Text after = {};

  explicit operator bool() const { return !before.empty(); }
  [[nodiscard]] std::vector<Run> runs() const { return spelled(index); }
};
Repeated repeated(const Row& row);

/// The number of indices in the runs.
Count size_of(std::span<const Run> runs);
bool same_runs(std::span<const Run> a, std::span<const Run> b);

/// The components of a name, split at its dots.
std::vector<std::string_view> segments_of(std::string_view name);

/// The module of a tensor: its name up to the last dot. Empty if the name has no dot.
std::string_view module_of(std::string_view name);
/// The name without ".weight": "mlp.gate" for "mlp.gate.weight".
std::string_view without_weight(std::string_view name);

/// Calls `visit` with each row that exists before the call. `visit` may record further rows, which invalidates the reference that it
/// received.
template <class Visit>
void each_row(const Builder& b, const Visit& visit) {
  const std::size_t n = b.rows().size();
  for (std::size_t i = 0; i < n; ++i) visit(b.rows()[i]);
}

}  // namespace param_ledger
