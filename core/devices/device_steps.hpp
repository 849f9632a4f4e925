#pragma once

#include <vector>

#include "core/devices/division.hpp"
#include "core/expr/formula_json.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes how the parameters of a device add up, step by step: its tensors part by part, their sum, an even share of the model, and the
/// excess over that share unless the device holds less.
void write_device_steps(JsonWriter& json, FormulaJson& formulas, Pool& pool, const Division& division, const std::vector<LocalRow>& held,
                        Count model);

}  // namespace param_ledger
