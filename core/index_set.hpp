#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expr.hpp"

namespace param_ledger {

/// Which layers or experts a repeated tensor belongs to. `[0-2,7]` costs two runs however long they are.
struct IndexSet {
  struct Run {
    std::uint64_t first;
    std::uint64_t last;
  };
  std::vector<Run> runs;  ///< ascending, with gaps between them
  Expr count;             ///< how many, as formulas say it; empty for one fixed index

  [[nodiscard]] bool empty() const { return runs.empty(); }
};

/// 0 … n-1.
IndexSet all(Expr n);
/// first … end-1, none where first ≥ end. The count is `end`, `end − first`, ...
IndexSet between(Expr first, Expr end);
/// The first `count` of n: none for 0, all where count exceeds n.
IndexSet first(Expr count, Expr n);
/// 0 … n-1 but those of `set`; the count is `n − count of set`.
IndexSet without(Expr n, const IndexSet& set);
/// One fixed index: no factor in formulas.
IndexSet only(std::uint64_t index);
/// Those of a set but its smallest; the count is one less.
IndexSet all_but_first(const IndexSet& set);
/// The indices as given, ascending and distinct; `count` is how formulas call their number.
IndexSet listed(std::span<const std::uint64_t> indices, Expr count);

/// As tensor names write it: `7`, `[0-31]`, `[0-2,7]`.
std::string spelling(const IndexSet& set);

}  // namespace param_ledger
