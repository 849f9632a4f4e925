#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

/// What a model takes while it generates, and while it is trained, as JSON text: the bytes of its weights, its cache, its operations, and
/// what an optimizer adds. The request's form and the answer's are documented in web/lib/types/memory-types.ts.
std::string memory_answer(Json root, Json request);

}  // namespace param_ledger
