#pragma once

#include "core/devices/division.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes the sum of the parameters on all devices, the extra copies and padding that it includes, and the model's own parameters. Throws
/// Error{internal} unless the first equals the sum of the others, for the whole model and for each row.
void write_sum(JsonWriter& json, const Division& division, Count model);

/// Writes the parameters that several devices hold, by part of the model, and how far the heaviest device is above an even share.
void write_replicated(JsonWriter& json, const Division& division, Count model, Count heaviest);

}  // namespace param_ledger
