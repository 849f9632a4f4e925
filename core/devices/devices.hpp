#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

/// What each device holds of a model, as JSON: for every kind of rank, or only for the rank in the request, its tensors with the
/// rule that divides each, and the bytes of weights and cache. Also gives the parameters that several devices hold, and what devices send
/// to each other. web/types/devices.ts documents the request and the answer.
std::string devices_answer(Json root, Json request);

}  // namespace param_ledger
