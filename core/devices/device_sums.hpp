#pragma once

#include "core/devices/division.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes what all devices hold, less what stands on several and what pads it: the model, exactly. Throws Error{internal} if it is not.
void write_sum(JsonWriter& json, const Division& division, Count model);

/// Writes what stands on several devices, by parts, and how much more than an even share of the model the heaviest device holds.
void write_replicated(JsonWriter& json, const Division& division, Count model, Count heaviest);

}  // namespace param_ledger
