#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/config/edit.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// The models that are compared, with null for each refused configuration.
using Models = std::span<const Model* const>;

/// One field in all models that have it. Fields of different models are matched by name, or else by their symbol in formulas.
struct FieldMatch {
  std::vector<const Field*> cells;  ///< for each model; null if the model does not read the field
};

/// Matches the fields of all models. The first model's fields keep their order. A field that only later models have is inserted after the
/// field that its model reads before it.
std::vector<FieldMatch> match_fields(Models models);

/// Whether two fields have the same value, be it given, a default or derived.
bool same_value(const Field& a, const Field& b);

/// Tensors of one model whose names differ only in their indices.
struct TensorGroup {
  std::string pattern;           ///< model.layers.*.mlp.up_proj.weight
  std::string role;              ///< their role; empty if unknown or shared with another group of the model
  std::vector<const Row*> rows;  ///< the group's rows, without tensors that only published files contain
  Count parameters = 0;          ///< parameters in all rows; 0 if the rows are tied or buffers
};

/// Corresponding tensors of several models, matched by name or by role.
struct TensorMatch {
  std::vector<const TensorGroup*> cells;  ///< for each model; null if the model has no such tensors
  std::string role;                       ///< their role; empty if unknown
};

/// Matches the tensors of the compared models, by name or by role.
class TensorMatches {
 public:
  explicit TensorMatches(Models models);

  /// All matches, in the first model's order. Tensors that only later models have are inserted after the tensors that their model records
  /// before them.
  [[nodiscard]] const std::vector<TensorMatch>& all() const { return matches_; }

 private:
  std::vector<std::vector<TensorGroup>> groups_;  ///< the groups of each model
  std::vector<TensorMatch> matches_;
};

}  // namespace param_ledger
