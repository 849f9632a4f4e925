#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// True of the tables that programs print of a model's layers with the parameters of each: torchinfo's, torchsummary's, Keras'.
bool is_layer_table(std::string_view text);
/// Adds their rows, whose shapes are not said; throws Error where there are only rounded numbers, as in Lightning's.
void read_layer_table(std::string_view text, Listing& out);

}  // namespace param_ledger
