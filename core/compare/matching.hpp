#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/config/edit.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// The models that are compared; null if refused. Every match has a cell for each model.
using Models = std::span<const Model* const>;

/// A field that models share: by name, or, between model types, by its symbol in formulas.
struct FieldMatch {
  std::vector<const Field*> cells;  ///< null if the model does not read it
};

/// All fields of all models, in the order of the page's form.
std::vector<FieldMatch> match_fields(Models models);

/// Whether both have the same value, wherever it comes from.
bool same_value(const Field& a, const Field& b);

/// Tensors of one model whose names differ only in their indices.
struct TensorGroup {
  std::string pattern;           ///< model.layers.*.mlp.up_proj.weight
  std::string role;              ///< their role; empty if unknown or shared with another group of the model
  std::vector<const Row*> rows;  ///< rows of the model, not of published files
  Count parameters = 0;          ///< parameters in all rows; 0 if the rows are tied or buffers
};

/// Tensors that models share: by name or by role.
struct TensorMatch {
  std::vector<const TensorGroup*> cells;  ///< null if the model has none
  std::string role;                       ///< their role; empty if unknown
};

/// Matches all tensors of some models.
class TensorMatches {
 public:
  explicit TensorMatches(Models models);

  /// All matches, in the order of the forward pass.
  [[nodiscard]] const std::vector<TensorMatch>& all() const { return matches_; }

 private:
  std::vector<std::vector<TensorGroup>> groups_;  ///< per model
  std::vector<TensorMatch> matches_;
};

}  // namespace param_ledger
