#pragma once

#include <cstdint>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/torch/pickle.hpp"

namespace param_ledger {

/// Reads one pickle from `at` on, at most up to `end`, and moves `at` behind it. Earlier values stay in `pickle`, as several pickles may
/// stand in one file. Returns the place of the pickle's value. Throws Error for what is not a pickle or takes too much or is not here.
Pickle::Place read_pickle(Pickle& pickle, Pieces& file, std::uint64_t& at, std::uint64_t end);

}  // namespace param_ledger
