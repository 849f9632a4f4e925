#pragma once

#include <string_view>

#include "core/inputs/printed/printed_model.hpp"

namespace param_ledger {

/// Parses UTF-8 text of a printed model. Reports modules that are not fully described, and cut text, to `problems` by line.
/// Throws Error{too_deep}.
PrintedModel read_printed_model(std::string_view text, Problems& problems);

}  // namespace param_ledger
