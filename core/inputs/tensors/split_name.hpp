#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/builder/row_names.hpp"
#include "core/expr/index_set.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

using RunList = std::vector<Run>;

/// A name with each index range replaced by a mark: "layers.[0-31].mlp" -> "layers.\x01.mlp", {0-31}
struct SplitName {
  static constexpr char mark = '\x01';
  std::string text;
  std::vector<RunList> indices;

  /// `literal`: brackets are not ranges.
  explicit SplitName(std::string_view name, bool literal = false);
};

/// The number of tensors with that name, from index `from` on.
Count size_of(const SplitName& name, std::size_t from = 0);
bool same_name(const SplitName& a, const SplitName& b);
/// The number of indices in both lists, which are ascending.
Count common(const RunList& a, const RunList& b);
/// The number of index combinations in both names, which have equal text or prefix, over the first `levels` indices.
Count common(const SplitName& a, const SplitName& b, std::size_t levels);
/// The indices of `a` that are not in `b`.
RunList remaining(const RunList& a, const RunList& b);

}  // namespace param_ledger
