#pragma once

#include <optional>

#include "core/inputs/fit/fitted.hpp"

namespace param_ledger {

/// Finds the configuration of a printed model. `given` holds fields whose values are already known. None if the printed classes belong to
/// no known family.
std::optional<Fitted> fit(const PrintedModel& printed, const Settings& given);

}  // namespace param_ledger
