#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// True of lines that name tensors and say how many elements each has, perhaps with its shape: `model.norm.weight 4096`.
bool is_number_list(std::string_view text);
void read_number_list(std::string_view text, Listing& out);

/// True of what gguf-dump and llama.cpp print of a file's tensors, whose dimensions stand the other way round.
bool is_gguf_dump(std::string_view text);
void read_gguf_dump(std::string_view text, Listing& out);

}  // namespace param_ledger
