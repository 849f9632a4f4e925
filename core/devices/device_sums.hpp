#pragma once

#include "core/devices/division.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes that the parameters on all devices, minus extra copies and padding, add up to the model. Throws Error{internal} if they do not,
/// for the whole model or for a single row.
void write_sum(JsonWriter& json, const Division& division, Count model);

/// Writes the parameters that several devices hold, by part of the model, and how far the heaviest device is above an even share.
void write_replicated(JsonWriter& json, const Division& division, Count model, Count heaviest);

}  // namespace param_ledger
