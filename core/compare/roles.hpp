#pragma once

#include <string>
#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// The role of each tensor in words that hold across model types, such as "expert gate" or "cross query bias". The recording block gives
/// it; for a layer's norms it follows from the rows before and after. Empty if unknown, and in towers unless `in_towers`.
std::vector<std::string> roles_of(const std::vector<Row>& rows, bool in_towers = false);

}  // namespace param_ledger
