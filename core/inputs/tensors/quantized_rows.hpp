#pragma once

#include <vector>

#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// Says of rows from files what quantization made of them: which are packed, and how many numbers they hold then; which are scales; and
/// which are buffers by their names. Told by the names and shapes that the formats give what stands together (GPTQ, AWQ, bitsandbytes,
/// MXFP4, NVFP4, fp8, MLX). `taken` where the width in bits is not in the shapes, and is the usual one.
void mark_quantized(std::vector<ListedRow>& rows);

}  // namespace param_ledger
