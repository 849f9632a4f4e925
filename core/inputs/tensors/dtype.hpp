#pragma once

#include <cstdint>
#include <string_view>

#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// A type of elements, as a place in the table of all; 0 where it is not known.
using Dtype = std::uint8_t;

/// As safetensors spells it: "BF16"; "" where it is not known.
Text spelling(Dtype dtype);
/// Of one element; 0 where the format has blocks only.
std::uint64_t bits(Dtype dtype);
/// How many elements stand together in GGUF's formats; else 1.
std::uint64_t numbers_of_block(Dtype dtype);
/// Of so many elements; what fills no whole byte, or no block, is left out.
Count bytes_of(Dtype dtype, Count elements);
/// What GGUF calls by that number, else 0.
Dtype dtype_of_ggml(std::uint64_t number);
/// What safetensors spells so, else 0.
Dtype dtype_spelled(std::string_view word);
/// What NumPy calls so, perhaps with an order of bytes before it ("<f4"), else 0.
Dtype dtype_of_numpy(std::string_view word);
/// As `dtype_spelled`, also as PyTorch and people write it (`torch.bfloat16`, `float32`, `fp16`, `f32`), and the formats of GGUF (`Q4_K`).
Dtype dtype_written(std::string_view word);

}  // namespace param_ledger
