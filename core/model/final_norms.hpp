#pragma once

#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// For each row, whether it is probably a final norm, judging by its name and position: the last norm after a list of layers, in the module
/// that contains the list or in a module around that one. "model.norm" is the final norm of "model.layers". A norm between the stages of a
/// backbone, before the layers of a decoder, or after the convolutions of a stem is not a final norm.
std::vector<bool> final_norms(const std::vector<Row>& rows);

}  // namespace param_ledger
