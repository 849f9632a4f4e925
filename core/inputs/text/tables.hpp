#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Whether the lines consist of tensor names and numbers of elements, possibly with shapes: `model.norm.weight 4096`.
bool is_number_list(std::string_view text);
void read_number_list(std::string_view text, Listing& out);

/// Whether the text is a list of tensors printed by gguf-dump or llama.cpp, which give dimensions in reverse order.
bool is_gguf_dump(std::string_view text);
void read_gguf_dump(std::string_view text, Listing& out);

}  // namespace param_ledger
