#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.hpp"

namespace param_ledger {

/// Indices from one to another, both of them included.
struct Run {
  std::uint64_t first;
  std::uint64_t last;
};

/// Runs that are not changed any more: one in place, more of them in a Pool. Nothing to destroy: clean-up after each set that
/// a family makes would be a tenth of the download.
class Runs {
 public:
  Runs() = default;
  Runs(Run run) : one_(run), size_(1) {}
  Runs(Pool& pool, std::vector<Run> runs);

  [[nodiscard]] const Run* begin() const { return more_ != nullptr ? more_ : &one_; }
  [[nodiscard]] const Run* end() const { return begin() + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::span<const Run> span() const { return {begin(), size_}; }
  [[nodiscard]] const Run& front() const { return *begin(); }
  [[nodiscard]] const Run& back() const { return end()[-1]; }

 private:
  Run one_ = {};
  const Run* more_ = nullptr;
  std::size_t size_ = 0;
};

/// Which layers or experts a repeated tensor belongs to. `[0-2,7]` costs two runs however long they are. Valid as long as
/// the pool of its count.
struct IndexSet {
  Runs runs;        ///< ascending, with gaps between them
  Expr count = {};  ///< how many, as formulas say it; empty for one fixed index

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

/// These runs, ascending and with gaps between them.
IndexSet of_runs(std::vector<Run> runs, Expr count);

/// As tensor names write it: `7`, `[0-31]`, `[0-2,7]`.
std::string spelling(std::span<const Run> runs);
inline std::string spelling(const IndexSet& set) { return spelling(set.runs.span()); }
/// True for a word that is an index, or several.
bool is_index(std::string_view word);
/// Where an index begins in a word between a name's dots, which may say of what: 0 in `[0-7]`, 7 in `expert_[0-7]`; npos where none does.
std::size_t index_begin(std::string_view word);
/// The indices that were written so; none where the word is not an index, a number is beyond 63 bits, or a range ends before it begins.
std::vector<Run> spelled(std::string_view word);
/// True where it is in one of them.
bool contains(std::span<const Run> runs, std::uint64_t index);

}  // namespace param_ledger
