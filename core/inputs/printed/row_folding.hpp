#pragma once

#include <vector>

#include "core/inputs/printed/printed_model.hpp"
#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// Merges rows with equal shapes and kinds whose names differ in only one index, beginning with the innermost index: "layers.0.w",
/// "layers.[1-3].w" -> "layers.[0-3].w"
void fold(std::vector<ListedRow>& rows);
void fold(std::vector<PrintedPlace>& places);

}  // namespace param_ledger
