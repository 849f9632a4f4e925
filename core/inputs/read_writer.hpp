#pragma once

#include <string>

#include "core/inputs/reading.hpp"

namespace param_ledger {

/// The answer to a `read` request, as JSON text.
std::string reading_answer(const Reading& reading);

}  // namespace param_ledger
