#pragma once

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Adds the arrays of an archive that NumPy (or MLX) wrote: of each the first bytes are read, which say its shape and type. Throws Error
/// where it cannot be read (also where it is compressed, which hides these bytes) or is not here.
void read_npz(Pieces& file, Listing& out);

}  // namespace param_ledger
