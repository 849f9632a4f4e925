#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

/// What each device holds of a model, as JSON: the tensors of every kind of rank with the rule that divides each, bytes, cache, and what
/// several devices hold. web/types/devices.ts documents the request and the answer.
std::string devices_answer(Json root, Json request);

}  // namespace param_ledger
