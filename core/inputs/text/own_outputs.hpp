#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Whether the text is this program's answer as JSON: an object with "ok" as its first member.
bool is_own_answer(std::string_view text);
/// Adds the tensors in such an answer. Throws Error if it lists none, as in answers about memory.
void read_own_answer(std::string_view text, Listing& out);

/// Whether the text is one of this program's tables of tensors: CSV, tab-separated, or Markdown.
bool is_own_table(std::string_view text);
void read_own_table(std::string_view text, Listing& out);

/// Whether the text is only names of tensors, one per line.
bool is_name_list(std::string_view text);
/// Throws Error that asks for shapes.
[[noreturn]] void refuse_name_list(std::string_view text);

}  // namespace param_ledger
