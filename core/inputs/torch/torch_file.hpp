#pragma once

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// True for the bytes that a file of torch's before its version 1.6 begins with, or another pickle.
bool begins_pickle(std::string_view bytes);

/// Adds the model's tensors of what torch.save wrote, an archive: of a checkpoint with further states those of the model, and says what
/// is beside them. Nothing of the pickle in it is run. Throws Error where it cannot be read or is not here.
void read_torch_archive(Pieces& file, Listing& out);

/// The same of the format before archives.
void read_torch_pickle(Pieces& file, Listing& out);

}  // namespace param_ledger
