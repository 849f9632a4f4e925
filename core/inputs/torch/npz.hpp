#pragma once

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// Adds the arrays of an .npz archive that NumPy or MLX wrote. Reads only the first bytes of each array, which give its shape and dtype.
/// Throws Error if the archive cannot be read, if it is compressed, so that these bytes are not readable, or if bytes are missing.
void read_npz(Pieces& file, Listing& out);

}  // namespace param_ledger
