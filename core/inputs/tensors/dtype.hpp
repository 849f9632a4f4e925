#pragma once

#include <cstdint>
#include <string_view>

#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// An element type, as an index into the table of types; 0 if unknown.
using Dtype = std::uint8_t;

/// The spelling used by safetensors or ggml, such as "BF16" or "Q4_K"; "" if unknown.
Text spelling(Dtype dtype);
/// The number of bits per element; 0 for block formats and for the unknown type.
std::uint64_t bits(Dtype dtype);
/// The number of elements in a block of GGUF's block formats; 1 for other types.
std::uint64_t numbers_of_block(Dtype dtype);
/// The size in bytes of this many elements, rounded down to whole bytes or blocks.
Count bytes_of(Dtype dtype, Count elements);
/// The type that has this number in ggml; 0 if there is none.
Dtype dtype_of_ggml(std::uint64_t number);
/// The type that has this name in safetensors; 0 if there is none.
Dtype dtype_spelled(std::string_view word);
/// The type that has this name in NumPy, with or without a byte order ("<f4"); 0 if there is none.
Dtype dtype_of_numpy(std::string_view word);
/// Like `dtype_spelled`, but also accepts other spellings (`torch.bfloat16`, `float32`, `fp16`, `f32`) and GGUF's formats (`Q4_K`).
Dtype dtype_written(std::string_view word);

}  // namespace param_ledger
