#pragma once

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Whether the bytes begin a pickle of protocol 2 or later, such as a file that torch wrote before version 1.6.
bool begins_pickle(std::string_view bytes);

/// Adds the model's tensors from an archive written by torch.save. If a checkpoint has other states, they are reported, and only the model
/// is counted. No code of the pickle is executed. Throws Error if the file cannot be read or bytes are missing.
void read_torch_archive(Pieces& file, Listing& out);

/// Adds the model's tensors from a file in the format that torch.save used before version 1.6, or from another pickle.
void read_torch_pickle(Pieces& file, Listing& out);

}  // namespace param_ledger
