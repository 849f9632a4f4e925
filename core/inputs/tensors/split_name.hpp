#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/builder/row_names.hpp"
#include "core/expr/index_set.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

using RunList = std::vector<Run>;

/// A name with index ranges taken apart: a mark stands for each of them. "layers.[0-31].mlp" -> "layers.\x01.mlp", {0-31}
struct SplitName {
  static constexpr char mark = '\x01';
  std::string text;
  std::vector<RunList> indices;

  /// `literal`: its brackets are no ranges.
  explicit SplitName(std::string_view name, bool literal = false);
};

/// How many tensors have a name, from that of its indices on.
Count size_of(const SplitName& name, std::size_t from = 0);
bool same_name(const SplitName& a, const SplitName& b);
/// How many indices are in both, which are ascending.
Count common(const RunList& a, const RunList& b);
/// The same of names of one text, or of the begins of such: at the first `levels` of their indices.
Count common(const SplitName& a, const SplitName& b, std::size_t levels);
/// Those of `a` that are not in `b`.
RunList remaining(const RunList& a, const RunList& b);

}  // namespace param_ledger
