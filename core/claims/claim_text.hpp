#pragma once

#include <string_view>
#include <vector>

#include "core/claims/stated_claim.hpp"

namespace param_ledger {

/// Reads the numbers of a text that may count a model: "671B total, 37B activated", a table of a model card, "8x7B", "7–9B". Numbers that
/// count something else ("14.8T tokens", "61 layers", "Llama 3.1") are left out. Throws Error naming `claim` if no number is left, or if
/// the unit of a number contradicts the words around it.
std::vector<Claim> read_claims(std::string_view written);

}  // namespace param_ledger
