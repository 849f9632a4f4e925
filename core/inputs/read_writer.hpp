#pragma once

#include <string>

#include "core/inputs/reading.hpp"

namespace param_ledger {

/// The answer to `read`, as JSON text.
std::string reading_answer(const Reading& reading);

}  // namespace param_ledger
