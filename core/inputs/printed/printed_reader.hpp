#pragma once

#include <string_view>

#include "core/inputs/printed/printed_model.hpp"

namespace param_ledger {

/// Parses the text of a printed model, which must be UTF-8. Reports unreadable modules, missing lines and truncated text to `problems` with
/// line numbers. Throws Error{too_deep}.
PrintedModel read_printed_model(std::string_view text, Problems& problems);

}  // namespace param_ledger
