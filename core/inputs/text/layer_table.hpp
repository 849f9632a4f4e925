#pragma once

#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Whether the text is a table of a model's layers with the number of parameters of each, as printed by torchinfo, torchsummary, Keras or
/// Lightning.
bool is_layer_table(std::string_view text);
/// Adds the rows of the table, which gives no shapes. Throws Error if the table rounds its numbers, as Lightning's does.
void read_layer_table(std::string_view text, Listing& out);

}  // namespace param_ledger
