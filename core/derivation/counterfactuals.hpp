#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/builder/inference.hpp"
#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// What a model would have without one of its choices, or with another one: itself a count.
struct Counterfactual {
  std::string_view id;
  std::string field = {};          ///< the field that is changed, as the configuration calls it; empty: tensors are left out or added
  std::string from = {}, to = {};  ///< its values, or those that the choice is about
  Count parameters = 0;
  Count active = 0;
  std::vector<std::string_view> tensors = {};  ///< names of the tensors that it is about
};

/// Those of a model's own mechanisms, as far as they can be counted, in the order of the forward pass. `inference` is what the model
/// recorded.
std::vector<Counterfactual> counterfactuals_of(Json config, const Model& model, const Inference& inference);

/// The same as JSON: {"ok": true, …, "counterfactuals": [{"id": …}]}.
std::string counterfactuals_answer(Json config);

}  // namespace param_ledger
