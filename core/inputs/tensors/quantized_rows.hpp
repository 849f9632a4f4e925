#pragma once

#include <vector>

#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// Determines how rows from files are quantized: which rows are packed and how many numbers they hold, which are scales, and which are
/// buffers. Recognises GPTQ, AWQ, compressed-tensors, bitsandbytes, MXFP4, NVFP4, fp8 and MLX by the names, dtypes and shapes of related
/// tensors. Sets `taken` if the shapes do not determine how many weights an element holds, and the usual bit width or group size is
/// assumed.
void mark_quantized(std::vector<ListedRow>& rows);

}  // namespace param_ledger
