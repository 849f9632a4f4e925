#pragma once

#include <string>
#include <vector>

#include "core/model/model.hpp"

namespace param_ledger {

/// The role of each row in words that hold across model types, such as "expert gate" or "cross query bias". The block that records a row
/// sets its role. The role of a norm in a layer outside of towers follows from the rows around it and from norm_orders.def, and that of a
/// final norm from final_norms.hpp. Empty if the role is unknown, and for towers unless `in_towers`.
std::vector<std::string> roles_of(const Model& model, bool in_towers = false);

}  // namespace param_ledger
