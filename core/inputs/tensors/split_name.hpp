#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/builder/row_names.hpp"
#include "core/expr/index_set.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

using RunList = std::vector<Run>;

/// A tensor's name, split into a text in which a mark replaces each index or index range, and the replaced indices: "layers.[0-31].mlp" ->
/// "layers.\x01.mlp", {0-31}
struct SplitName {
  static constexpr char mark = '\x01';
  std::string text;
  std::vector<RunList> indices;

  /// `literal`: brackets in the name are ordinary characters, not index ranges.
  explicit SplitName(std::string_view name, bool literal = false);
};

/// The number of tensors that a name stands for, ignoring the indices before position `from`.
Count size_of(const SplitName& name, std::size_t from = 0);
bool same_name(const SplitName& a, const SplitName& b);
/// The number of indices that occur in both lists, which must be ascending.
Count common(const RunList& a, const RunList& b);
/// The number of index combinations, over the first `levels` indices, that occur in both names. Up to there, the texts of the names must be
/// equal.
Count common(const SplitName& a, const SplitName& b, std::size_t levels);
/// The indices that are in `a` or `b`, in ascending runs that do not overlap.
RunList united(RunList a, const RunList& b);
/// The indices that are in `a` but not in `b`. The runs of each must be ascending and must not overlap.
RunList remaining(const RunList& a, const RunList& b);

}  // namespace param_ledger
