#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/config/edit.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Models that stand beside one another; null where one is refused. What is matched has a cell for each.
using Models = std::span<const Model* const>;

/// A field that models share: by name, or across model types by the symbol that formulas write for it.
struct FieldMatch {
  std::vector<const Field*> cells;  ///< null where a model does not read it
};

/// In the order of the form. Every field of every model is in one of them.
std::vector<FieldMatch> match_fields(Models models);

/// True where both have that value, however they came by it.
bool same_value(const Field& a, const Field& b);

/// The tensors of one name but for the indices in it.
struct TensorGroup {
  std::string pattern;           ///< model.layers.*.mlp.up_proj.weight
  std::string role;              ///< what they do; empty where that is not said, or another group of the model does it, too
  std::vector<const Row*> rows;  ///< of the model, not of what files hold beside it
  Count parameters = 0;          ///< of all of them; none where they are tied, or buffers
};

/// Tensors that models share: by name, or by what they do.
struct TensorMatch {
  std::vector<const TensorGroup*> cells;  ///< null where a model has none
  std::string role;                       ///< what they do; empty where that is not said
};

/// All tensors of some models, matched.
class TensorMatches {
 public:
  explicit TensorMatches(Models models);

  /// In the order in which data passes.
  [[nodiscard]] const std::vector<TensorMatch>& all() const { return matches_; }

 private:
  std::vector<std::vector<TensorGroup>> groups_;  ///< of each model
  std::vector<TensorMatch> matches_;
};

}  // namespace param_ledger
