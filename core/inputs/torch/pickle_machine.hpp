#pragma once

#include <cstdint>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/torch/pickle.hpp"

namespace param_ledger {

/// Reads one pickle that begins at `at` and ends before `end`, and moves `at` past it. A file may contain several pickles; the values of
/// earlier ones stay in `pickle`. Returns the position of the pickle's value. Throws Error if it is not a pickle, exceeds a limit, or bytes
/// are missing.
Pickle::Place read_pickle(Pickle& pickle, Pieces& file, std::uint64_t& at, std::uint64_t end);

}  // namespace param_ledger
