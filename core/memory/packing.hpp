#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/json/json.hpp"

namespace param_ledger {

/// `count` matrices as files store them, each with `rows` of `width` numbers.
struct Matrix {
  Count count = 1, rows = 1, width = 1;
};

Matrix matrix_of(const Row& row);
/// The matrices of a row where gate and up of packed experts are separate, as files with linear layers store them.
Matrix unpacked_matrix_of(const Row& row);

/// How a matrix is packed in few bits: its numbers and the scales that belong to them.
struct Packing {
  Text name;
  unsigned bits = 8;
  Count group = 0;      ///< consecutive numbers of a row that share a scale; 0: the whole row
  Count rows = 1;       ///< consecutive rows that share a scale; 0: all rows
  unsigned scale = 32;  ///< bits per scale
  unsigned zero = 0;    ///< bits of a zero point per scale
  Count word = 8;       ///< bits of a word that numbers are packed into, along a row or (`down`) a column
  bool down = false;    ///< numbers packed along columns, zero points along rows (GPTQ); else both along rows of the transposed matrix
  bool places = false;  ///< also stores the group of each column in 32 bits (GPTQ's g_idx)
  bool shape = false;   ///< also stores the shape as two 64-bit numbers (compressed-tensors)
  bool whole = false;   ///< groups run through the whole matrix instead of single rows (bitsandbytes)
  Count nested = 0;  ///< 8-bit scales: so many share a 32-bit scale, and there is a table of 256 values (bitsandbytes' nested quantization)
  Count table = 0;   ///< bytes per matrix, whatever its size: a table of values, scales of a whole matrix
};

/// Bytes of the numbers, and of scales and the like.
struct PackedBytes {
  Count numbers, beside;
};
PackedBytes packed(const Packing& p, const Matrix& m);

/// How a quantization method stores a matrix, from its quantization_config (bitsandbytes, GPTQ, AWQ, compressed-tensors or modelopt).
/// Without a name if that is not known.
Packing packing_of(Json quantization, std::string_view method);

/// ⌈a / b⌉ · b
constexpr Count rounded_up(Count a, Count b) { return (a + b - 1) / b; }

}  // namespace param_ledger
