#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

/// The derivation of a configuration's count as JSON: its sections and steps, each with its formula, value and tensors. Also contains these
/// steps as a worked article (core/claims/article.hpp) that has no texts yet, the names in the formulas, the sources of their values, and
/// facts for explanations.
std::string derivation_answer(Json config);

}  // namespace param_ledger
