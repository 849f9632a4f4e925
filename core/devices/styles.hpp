#pragma once

#include <vector>

#include "core/devices/divided_row.hpp"
#include "core/devices/engine.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Which plans were found for a model.
struct PlanFound {
  bool tensor = false, expert = false;
  bool unmatched = false;  ///< whether it is unknown which tensors of this model transformers' rules apply to
};

/// Sets the style of each row by the plan of transformers for the model, or for the nested model that the row belongs to.
PlanFound style_by_transformers(const Choice& choice, const Inference& inference, const Sizes& sizes, std::vector<DividedRow>& rows);

/// Sets the style, the holder and the padding of each row by the plan of Megatron-Core or vLLM. Throws Error for a type or a
/// class without a plan, and for a row without a rule.
PlanFound style_by_engine(Model& model, Engine engine, const Sizes& sizes, Expr tensor, std::vector<DividedRow>& rows);

/// Whether the head of the chosen class predicts tokens: causal, conditional-generation or masked language modelling.
bool has_language_model_head(const Choice& choice);

}  // namespace param_ledger
