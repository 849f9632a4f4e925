#pragma once

#include <optional>

#include "core/inputs/fit/fitted.hpp"

namespace param_ledger {

/// Finds the configuration of a printed model. `given` holds fields whose values are already known. None if no known family has the printed
/// classes, if every configuration that was tried is refused, or if the text shows no parameters or is too large to search.
std::optional<Fitted> fit(const PrintedModel& printed, const Settings& given);

}  // namespace param_ledger
