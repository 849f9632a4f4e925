#pragma once

#include <string>

#include "core/json.hpp"

namespace param_ledger {

/// What a model takes while it generates, and while it is trained, as JSON text: the bytes of its weights, its cache, its operations, and
/// what an optimizer adds. The request is {"config": {…}, …}; its form and the answer's are documented in web/lib/core/memory-answer.ts.
std::string memory_answer(Json request);

}  // namespace param_ledger
