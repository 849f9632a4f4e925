#pragma once

#include <string>
#include <vector>

#include "core/model/model.hpp"

namespace param_ledger {

/// The role of each row, in words that apply to all model types, such as "expert gate" or "cross query bias". The block that records the
/// row determines it; for a layer's norms it follows from the rows before and after, and from norm_orders.def. Empty if unknown, and for
/// rows in towers unless `in_towers`.
std::vector<std::string> roles_of(const Model& model, bool in_towers = false);

}  // namespace param_ledger
