#pragma once

#include <array>
#include <string_view>

#include "core/devices/rule.hpp"

namespace param_ledger {

/// The plans of a model type in transformers: of its configuration class (base_model_tp_plan, base_model_ep_plan) and of its classes with a
/// language model head (_tp_plan).
struct Plan {
  Text model_type;
  std::array<Rules, 6> tensor = {};
  std::array<Rules, 2> expert = {};
  Style head = Style::replicate;
  Text table = {};         ///< the embedding table's names in checkpoints, separated by `|`; if empty, embed_tokens
  Text text = {};          ///< the model type of the nested text model, if its family does not name one
  bool unmatched = false;  ///< whether it is unknown which tensors of this model type transformers' rules apply to

  [[nodiscard]] bool has_tensor() const { return !tensor[0].empty(); }
  [[nodiscard]] bool has_expert() const { return !expert[0].empty(); }
};

/// The plan of a model type in transformers 5.23, or null.
const Plan* plan_of(std::string_view model_type);

}  // namespace param_ledger
