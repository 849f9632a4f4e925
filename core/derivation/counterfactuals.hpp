#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/builder/inference.hpp"
#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// The count of a model without one of its design choices, or with a different choice.
struct Counterfactual {
  std::string_view id;
  std::string field = {};  ///< the field that is changed, as the configuration spells it; empty if tensors are left out or added instead
  /// The field's old and new value. If the field is `multi_query`, the numbers of key-value heads instead. Without `field`, empty or
  /// numbers that describe the change.
  std::string from = {}, to = {};
  Count parameters = 0;
  Count active = 0;
  std::vector<std::string_view> tensors = {};  ///< the names of the tensors that the change concerns
  bool towers_keep = false;                    ///< whether the model's towers also have tensors of this kind, which are left unchanged
};

/// The counterfactuals for the mechanisms that the model has. Those that cannot be counted are left out. `inference` was filled when the
/// model was built.
std::vector<Counterfactual> counterfactuals_of(Json config, const Model& model, const Inference& inference);

/// The counterfactuals as JSON: {"ok": true, …, "counterfactuals": [{"id": …}]}.
std::string counterfactuals_answer(Json config);

}  // namespace param_ledger
