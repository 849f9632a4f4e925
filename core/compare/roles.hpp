#pragma once

#include <string>
#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// What each tensor does, in words that hold across model types, "expert gate" or "cross query bias": as the block says that recorded it,
/// and of a layer's norms by what is recorded before and after them. Empty where nothing is said, and in towers unless these are asked for.
std::vector<std::string> roles_of(const std::vector<Row>& rows, bool in_towers = false);

}  // namespace param_ledger
