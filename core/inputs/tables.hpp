#pragma once

#include <string_view>

#include "core/inputs/header.hpp"

namespace param_ledger {

/// True of the tables that programs print of a model's layers with the parameters of each: torchinfo's, torchsummary's, Keras'.
bool is_layer_table(std::string_view text);
/// Adds their rows, whose shapes are not said; throws Error where there are only rounded numbers, as in Lightning's.
void read_layer_table(std::string_view text, Listing& out);

/// True of lines that name tensors and say how many elements each has, perhaps with its shape: `model.norm.weight 4096`.
bool is_number_list(std::string_view text);
void read_number_list(std::string_view text, Listing& out);

/// True of what gguf-dump and llama.cpp print of a file's tensors, whose dimensions stand the other way round.
bool is_gguf_dump(std::string_view text);
void read_gguf_dump(std::string_view text, Listing& out);

}  // namespace param_ledger
