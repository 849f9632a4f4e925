#pragma once

#include <vector>

#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// Marks what quantization did to rows from files: which rows are packed, and how many numbers they hold; which are scales; and which are
/// buffers by name. Recognises GPTQ, AWQ, bitsandbytes, MXFP4, NVFP4, fp8 and MLX by the names and shapes of related tensors. `taken` is
/// set if the shapes do not give the bit width and the usual one is assumed.
void mark_quantized(std::vector<ListedRow>& rows);

}  // namespace param_ledger
