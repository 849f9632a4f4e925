#pragma once

#include <string_view>

namespace param_ledger {

/// Whether the text is a listing of weight files, with or without sizes, as printed by `ls` or `du`.
bool is_file_listing(std::string_view text);

/// Throws an Error that gives the totals of the listing and explains that a listing does not show tensors.
[[noreturn]] void refuse_file_listing(std::string_view text);

}  // namespace param_ledger
