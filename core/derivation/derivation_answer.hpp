#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

/// The derivation of a configuration's count: its sections and steps, each with its formula, value and tensors; the same as a worked
/// article (core/claims/article.hpp), whose steps stand in the same order and say nothing yet; and the names of the formulas.
std::string derivation_answer(Json config);

}  // namespace param_ledger
