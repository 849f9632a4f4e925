#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/config/edit.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

<<<<<<< HEAD
/// The models to compare; null if refused. Every match has a cell for each model.
using Models = std::span<const Model* const>;

/// A field that several models have. Models match it by name or, if their types differ, by its symbol in formulas.
struct FieldMatch {
  std::vector<const Field*> cells;  ///< one for each model; null if the model does not read the field
=======
/// The models that are compared, with null for each refused configuration.
using Models = std::span<const Model* const>;

/// One field in all models that have it. Fields of different models are matched by name, or else by their symbol in formulas.
struct FieldMatch {
  std::vector<const Field*> cells;  ///< for each model; null if the model does not read the field
>>>>>>> h1
};

/// Matches the fields of all models. They keep the order in which the models read them.
std::vector<FieldMatch> match_fields(Models models);

<<<<<<< HEAD
/// Whether both fields have the same value, whether given or a default.
=======
/// Whether two fields have the same value, be it given, a default or derived.
>>>>>>> h1
bool same_value(const Field& a, const Field& b);

/// Tensors of one model whose names differ only in their indices.
struct TensorGroup {
<<<<<<< HEAD
  std::string pattern;           ///< the name with stars: model.layers.*.mlp.up_proj.weight
  std::string role;              ///< the tensors' role; empty if it is unknown, or if another group of the model has it, too
  std::vector<const Row*> rows;  ///< rows of the model itself, not those that only published files contain
  Count parameters = 0;          ///< number of parameters in all rows; 0 if the rows are tied or are buffers
};

/// Tensors that several models have, matched by name or by role.
struct TensorMatch {
  std::vector<const TensorGroup*> cells;  ///< one for each model; null if the model has no such tensors
  std::string role;                       ///< the tensors' role; empty if unknown
};

/// The matches of all tensors of several models.
=======
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
>>>>>>> h1
class TensorMatches {
 public:
  explicit TensorMatches(Models models);

  /// All matches, in the order of the forward pass.
  [[nodiscard]] const std::vector<TensorMatch>& all() const { return matches_; }

 private:
  std::vector<std::vector<TensorGroup>> groups_;  ///< the groups of each model
  std::vector<TensorMatch> matches_;
};

}  // namespace param_ledger
