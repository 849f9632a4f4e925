#pragma once

#include <string_view>

namespace param_ledger {

/// True of what `ls`, `du` and the like print of a folder of weights: lines that name such files, with or without their sizes.
bool is_file_listing(std::string_view text);

/// Throws Error that says what such a list comes to, and that no tensor follows from it.
[[noreturn]] void refuse_file_listing(std::string_view text);

}  // namespace param_ledger
