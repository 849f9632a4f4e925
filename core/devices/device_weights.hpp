#pragma once

#include <vector>

#include "core/devices/division.hpp"
#include "core/memory/storage.hpp"

namespace param_ledger {

/// The weights of a device, in the format in which `whole` stores the model. `held` is the device's share of the model, and `rows` are the
/// rows in `held`. The bytes are unknown if the device's tensors would be stored differently from the model's, and if a format that depends
/// on the layer meets pipeline stages.
Storage weights_on(const Model& model, const Division& division, const Storage& whole, const std::vector<LocalRow>& held,
                   const std::vector<Row>& rows, std::string_view format);

}  // namespace param_ledger
