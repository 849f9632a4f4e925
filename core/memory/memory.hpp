#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

/// The memory of a model during generation and training, as JSON: bytes of weights and cache, operations, and what training adds.
/// web/types/memory.ts documents the request and the answer.
std::string memory_answer(Json root, Json request);

}  // namespace param_ledger
