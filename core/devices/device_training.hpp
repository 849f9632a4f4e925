#pragma once

#include <vector>

#include "core/devices/devices_request.hpp"
#include "core/devices/division.hpp"
#include "core/json/json_writer.hpp"

namespace param_ledger {

/// Writes what a device keeps of weights, gradients and the optimizer. ZeRO divides it among devices that hold the same share.
void write_device_training(JsonWriter& json, const DevicesRequest& request, const std::vector<LocalRow>& held);

}  // namespace param_ledger
