#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/json/json.hpp"

namespace param_ledger {

/// A matrix as files store it: `count` of them, each with `rows` of `width` numbers.
struct Matrix {
  Count count = 1, rows = 1, width = 1;
};

Matrix matrix_of(const Row& row);
/// The same as the linear layers that its matrices are in files where experts are packed: gate and up are one each.
Matrix unpacked_matrix_of(const Row& row);

/// How a matrix is packed in few bits: its numbers, and what stands beside them.
struct Packing {
  Text name;
  unsigned bits = 8;
  Count group = 0;      ///< numbers of a row that share a scale; 0: all of them
  Count rows = 1;       ///< rows that share it; 0: all of them
  unsigned scale = 32;  ///< bits of a scale
  unsigned zero = 0;    ///< bits of a zero point beside each scale
  Count word = 8;       ///< bits of what numbers are packed into, along a row or (`down`) a column
  bool down = false;    ///< packed along columns, the zero points along rows (GPTQ); else both along rows of the transposed matrix
  bool places = false;  ///< and the group of each column in 32 bits (GPTQ's g_idx)
  bool shape = false;   ///< and the shape, two numbers of 64 bits (compressed-tensors)
  bool whole = false;   ///< groups run through the whole matrix, not along its rows (bitsandbytes)
  Count nested = 0;     ///< the scales, eight bits each, share a second one of 32 bits, so many of them, and a table of 256
  Count table = 0;      ///< bytes of a table of values for each matrix
};

/// Bytes of the numbers, and of what stands beside them.
struct PackedBytes {
  Count numbers, beside;
};
PackedBytes packed(const Packing& p, const Matrix& m);

/// What a method stores of a matrix, by its quantization_config (of bitsandbytes, GPTQ, AWQ or compressed-tensors); without a name where
/// that is not known.
Packing packing_of(Json quantization, std::string_view method);

/// A ÷ b rounded up.
constexpr Count rounded_up(Count a, Count b) { return (a + b - 1) / b; }

}  // namespace param_ledger
