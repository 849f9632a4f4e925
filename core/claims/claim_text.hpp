#pragma once

#include <string_view>
#include <vector>

#include "core/claims/stated_claim.hpp"

namespace param_ledger {

/// Reads the numbers in a text that may state the size of a model: "671B total, 37B activated", "8x7B", "7–9B", or a table from a model
/// card. Numbers that count something else ("14.8T tokens", "61 layers", "Llama 3.1") are left out. Throws Error naming `claim` if the text
/// is too long, if no number is left, if the unit of a number contradicts the words around it, or if a range ends before it begins.
std::vector<Claim> read_claims(std::string_view written);

}  // namespace param_ledger
