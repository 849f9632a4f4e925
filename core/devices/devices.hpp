#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

/// What each device holds of a model, as JSON text: the tensors of every kind of rank with the rule by which each is divided, its bytes and
/// its cache, and what stands on several devices. The request's form and the answer's are documented in web/types/devices.ts.
std::string devices_answer(Json root, Json request);

}  // namespace param_ledger
