#pragma once

#include <optional>

#include "core/inputs/fit/fitted.hpp"

namespace param_ledger {

/// Finds the configuration of a printed model. `given`: what is known of the configuration beside the text. Nothing where the printed
/// classes are of no known family.
std::optional<Fitted> fit(const PrintedModel& printed, const Settings& given);

}  // namespace param_ledger
