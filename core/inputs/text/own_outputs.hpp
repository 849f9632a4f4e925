#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// True of an answer of this program as JSON: an object whose first member is "ok".
bool is_own_answer(std::string_view text);
/// Adds the tensors that such an answer lists. Throws Error for one that lists none, as those about memory.
void read_own_answer(std::string_view text, Listing& out);

/// True of this program's tables of tensors: CSV, the same parted by tabs, and Markdown.
bool is_own_table(std::string_view text);
void read_own_table(std::string_view text, Listing& out);

/// True of names of tensors alone, one on each line.
bool is_name_list(std::string_view text);
/// Throws Error that says that shapes are wanted, too.
[[noreturn]] void refuse_name_list(std::string_view text);

}  // namespace param_ledger
