#pragma once

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Whether a file begins like one of torch before version 1.6, or like another pickle.
bool begins_pickle(std::string_view bytes);

/// Adds the model's tensors of an archive written by torch.save. In a checkpoint with other states, these are reported and only the model
/// is counted. No code of the pickle is run. Throws Error if the file cannot be read or bytes are missing.
void read_torch_archive(Pieces& file, Listing& out);

/// Adds the model's tensors of a file in torch.save's format before version 1.6.
void read_torch_pickle(Pieces& file, Listing& out);

}  // namespace param_ledger
