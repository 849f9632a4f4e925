#pragma once

#include <string_view>

#include "core/inputs/printed/printed_model.hpp"

namespace param_ledger {

/// Reads it, which must be UTF-8. What the text does not say of a module, and what was cut, is told to `problems` by line.
/// Throws Error{too_deep}.
PrintedModel read_printed_model(std::string_view text, Problems& problems);

}  // namespace param_ledger
