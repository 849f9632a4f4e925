#pragma once

#include "core/devices/division.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes the proof that what all devices hold, minus the extra copies and the padding, is the model: exactly, row by row. Throws
/// Error{internal} if it is not.
void write_sum(JsonWriter& json, const Division& division, Count model);

/// Writes what several devices hold, by part, and how far the heaviest device is above an even share.
void write_replicated(JsonWriter& json, const Division& division, Count model, Count heaviest);

}  // namespace param_ledger
