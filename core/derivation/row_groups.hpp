#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

// Where rows stand among the layers of a model, told from their names: `model.layers.[0-2].mlp.up_proj.weight` is one of the list
// `model.layers`. Layers with the same rows are of one kind.

/// A row in one layer.
struct Member {
  const Row* row;
  std::span<const Expr> outer, inner;  ///< its repeats beside that of the layers: those around, those inside
};

/// Layers that have the same rows.
struct LayerKind {
  std::vector<Run> layers;
  Expr count;
  std::vector<Member> members;  ///< in the order in which they were recorded
};

/// Rows that stand in no list, next to one another but for those of lists that begin among them; or a list.
struct RowGroup {
  std::string_view list;         ///< empty: rows outside
  std::vector<const Row*> rows;  ///< outside
  std::vector<LayerKind> kinds;  ///< of a list, by their first layers
  /// Layers differ in so many places that each kind is what rows of the same layers have: a layer is of several kinds then.
  bool overlapping = false;
};

/// The rows in the order in which they were recorded: lists where they begin.
std::vector<RowGroup> grouped(Pool& pool, std::span<const Row* const> rows);

}  // namespace param_ledger
