#pragma once

#include "core/devices/division.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes the number of parameters on all devices together, how many of them are extra copies or padding, and the model's own parameter
/// count. Throws Error{internal} if these numbers do not add up, for the whole model or for any row.
void write_sum(JsonWriter& json, const Division& division, Count model);

/// Writes the parameters that several devices hold, by part of the model, and how far the heaviest device is above an even share.
void write_replicated(JsonWriter& json, const Division& division, Count model, Count heaviest);

}  // namespace param_ledger
