#pragma once

#include <vector>

#include "core/devices/devices_request.hpp"
#include "core/devices/division.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes the memory that training needs on a device for weights, gradients and the optimizer. Depending on its stage, ZeRO divides none,
/// some or all of this among the devices that hold the same share of the model.
void write_device_training(JsonWriter& json, const DevicesRequest& request, const std::vector<LocalRow>& held);

}  // namespace param_ledger
