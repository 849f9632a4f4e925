#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

// Finds the layers that rows belong to from the rows' names: `model.layers.[0-2].mlp.up_proj.weight` belongs to the list `model.layers`.
// Layers with the same rows are of one kind.

/// A row within one layer.
struct Member {
  const Row* row;
  std::span<const Expr> outer, inner;  ///< the row's repeats outside of the layers, and inside of a layer
};

/// Layers with the same rows.
struct LayerKind {
  std::vector<Run> layers;
  Expr count;
  std::vector<Member> members;  ///< in the order in which the rows were recorded
};

/// A list of layers, or consecutive rows that belong to no list.
struct RowGroup {
  std::string_view list;         ///< such as model.layers; empty for rows that belong to no list
  std::vector<const Row*> rows;  ///< the rows that belong to no list
  std::vector<LayerKind> kinds;  ///< the kinds of a list, ordered by their first layers or, if `overlapping`, by their first rows
  /// True if the list has more than 64 kinds of layers, or too many ranges of layers to find the kinds. `kinds` then has one entry for each
  /// distinct set of layers that share a row, so a layer may be in several entries.
  bool overlapping = false;
};

/// Groups rows and keeps their order. A list takes the place of its first row.
std::vector<RowGroup> grouped(Pool& pool, std::span<const Row* const> rows);

}  // namespace param_ledger
