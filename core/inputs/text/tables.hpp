#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Whether most lines consist of a tensor's name and its number of elements, possibly with its shape: `model.norm.weight 4096`.
bool is_number_list(std::string_view text);
void read_number_list(std::string_view text, Listing& out);

/// Whether the text contains tensors as gguf-dump or llama.cpp list them, with the fastest-varying dimension first.
bool is_gguf_dump(std::string_view text);
void read_gguf_dump(std::string_view text, Listing& out);

}  // namespace param_ledger
