#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.hpp"

namespace param_ledger {

/// Indices from `first` to `last`, inclusive.
struct Run {
  std::uint64_t first;
  std::uint64_t last;
};

/// An immutable list of runs. A single run is stored in place, several in a Pool. The class is trivially destructible, because destructor
/// calls for every set that a family creates would make up a tenth of the download.
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

/// The indices at which a tensor is repeated, such as those of its layers or experts, stored as runs: `[0-2,7]` is two runs. The set is
/// valid as long as the pool.
struct IndexSet {
  Runs runs;        ///< ascending, with a gap between any two
  Expr count = {};  ///< the number of indices as a formula; empty for one fixed index and for some sets without indices

  [[nodiscard]] bool empty() const { return runs.empty(); }
};

/// The indices 0 … n-1.
IndexSet all(Expr n);
/// The indices first … end-1; none if first ≥ end. Their count is the expression `end − first`.
IndexSet between(Expr first, Expr end);
/// The first `count` of n indices, or all n if `count` is larger.
IndexSet first(Expr count, Expr n);
/// The indices 0 … n-1 except those in `set`. Their count, empty if none are left, is n minus the count of `set`.
IndexSet without(Expr n, const IndexSet& set);
/// One fixed index. It adds no factor to formulas.
IndexSet only(std::uint64_t index);
/// All indices except the smallest; the count is one less.
IndexSet all_but_first(const IndexSet& set);
/// The given indices, which must be ascending and distinct; `count` is their number as a formula.
IndexSet listed(std::span<const std::uint64_t> indices, Expr count);

/// A set made of the given runs, which must be ascending with a gap between any two; `count` is the number of indices as a formula.
IndexSet of_runs(std::vector<Run> runs, Expr count);

/// The indices as written in tensor names: `7`, `[0-31]`, `[0-2,7]`.
std::string spelling(std::span<const Run> runs);
inline std::string spelling(const IndexSet& set) { return spelling(set.runs.span()); }
/// Whether a component of a tensor name looks like an index or an index range: it consists of digits, hyphens and commas, optionally in
/// brackets.
bool is_index(std::string_view word);
/// The position at which the index begins in a component of a tensor name: 0 in `[0-7]`, 7 in `expert_[0-7]`. No prefix other than
/// `expert_` is recognised; npos for any other component.
std::size_t index_begin(std::string_view word);
/// Parses an index or a list of ranges. Returns an empty list if the word is neither, if a number exceeds 63 bits, or if a range ends
/// before it begins.
std::vector<Run> spelled(std::string_view word);
/// Whether one of the runs contains the index.
bool contains(std::span<const Run> runs, std::uint64_t index);

}  // namespace param_ledger
