#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

/// Answers how much memory a model needs for generation and training, as JSON: bytes of weights and cache, operations, and what training
/// adds. web/types/memory.ts declares the request and the answer.
std::string memory_answer(Json root, Json request);

}  // namespace param_ledger
