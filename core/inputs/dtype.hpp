#pragma once

#include <cstdint>
#include <string_view>

#include "core/text.hpp"

namespace param_ledger {

/// A type of elements, as a place in the table of all; 0 where it is not known.
using Dtype = std::uint8_t;

/// As safetensors spells it: "BF16"; "" where it is not known.
Text spelling(Dtype dtype);
/// Of one element.
std::uint64_t bits(Dtype dtype);
/// What safetensors spells so, else 0.
Dtype dtype_spelled(std::string_view word);
/// The same, also as PyTorch and people write it: `torch.bfloat16`, `float32`, `fp16`, `f32`.
Dtype dtype_written(std::string_view word);

}  // namespace param_ledger
