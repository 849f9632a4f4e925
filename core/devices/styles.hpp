#pragma once

#include <vector>

#include "core/devices/divided_row.hpp"
#include "core/devices/engine.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Which plans a model has.
struct PlanFound {
  bool tensor = false, expert = false;
  bool unmatched = false;  ///< what its plan divides has not been matched with its rows
};

/// Gives each row the style that transformers' plans say: of its model, or of the model inside it that the row belongs to.
PlanFound style_by_transformers(const Choice& choice, const Inference& inference, const Sizes& sizes, std::vector<DividedRow>& rows);

/// Gives each row the style, the holder and the padding that another program's plan says. Throws Error for a type without such a plan, and
/// for a row that it does not know.
PlanFound style_by_engine(Model& model, Engine engine, const Sizes& sizes, Expr tensor, std::vector<DividedRow>& rows);

/// Whether a class has a head of language models.
bool has_language_model_head(const Choice& choice);

}  // namespace param_ledger
