#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Whether the text is one of this program's JSON answers: an object whose first member is "ok".
bool is_own_answer(std::string_view text);
/// Adds the tensors that an answer of this program lists. Throws Error if it lists no tensors, as an answer about memory does, or if any
/// tensor has no shape.
void read_own_answer(std::string_view text, Listing& out);

/// Whether the text is one of this program's tables of tensors: CSV, tab-separated, or Markdown.
bool is_own_table(std::string_view text);
void read_own_table(std::string_view text, Listing& out);

/// Whether the text consists mainly of tensor names without shapes, one per line.
bool is_name_list(std::string_view text);
/// Throws an Error that refuses a list of names without shapes and asks for the shapes.
[[noreturn]] void refuse_name_list(std::string_view text);

}  // namespace param_ledger
