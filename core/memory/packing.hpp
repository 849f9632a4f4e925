#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/json/json.hpp"

namespace param_ledger {

/// `count` matrices as files store them, each with `rows` rows of `width` numbers.
struct Matrix {
  Count count = 1, rows = 1, width = 1;
};

Matrix matrix_of(const Row& row);
/// Like `matrix_of`, but counts the gate and up projections of stacked experts as separate matrices, as in files that store each expert's
/// linear layers.
Matrix unpacked_matrix_of(const Row& row);

/// How a matrix is packed in few bits: its weights, which are called numbers here, and their scales.
struct Packing {
  Text name;
  unsigned bits = 8;
  Count group = 0;      ///< how many consecutive weights of a row share a scale; 0: the whole row
  Count rows = 1;       ///< how many consecutive rows share a scale; 0: all rows
  unsigned scale = 32;  ///< bits per scale
  unsigned zero = 0;    ///< bits of the zero point that belongs to each scale; 0: none
  Count word = 8;       ///< bits of a word into which numbers are packed
  bool down = false;    ///< for words of more than 8 bits: whether numbers are packed along inputs and zero points along outputs (GPTQ);
                        ///< otherwise both are packed along outputs (AWQ)
  bool places = false;  ///< whether the group of each column is stored, in 32 bits (GPTQ's g_idx)
  bool shape = false;   ///< whether the shape is stored, as two 64-bit numbers (compressed-tensors)
  bool whole = false;   ///< whether groups run through the whole matrix instead of single rows (bitsandbytes)
  Count nested = 0;     ///< how many 8-bit scales share a 32-bit scale, in which case one table of 256 values is stored, too (bitsandbytes'
                        ///< nested quantization); 0: not nested
  Count table = 0;      ///< bytes per matrix that do not depend on its size, such as a table of values or scales of the whole matrix
};

/// The bytes of a packed matrix: those of its numbers, and those of scales, zero points and everything else.
struct PackedBytes {
  Count numbers, beside;
};
PackedBytes packed(const Packing& p, const Matrix& m);

/// How a quantization method stores a matrix, from its quantization_config (bitsandbytes, GPTQ, AWQ, compressed-tensors or modelopt). The
/// result has no name if the layout is not known.
Packing packing_of(Json quantization, std::string_view method);

/// The quotient a / b, rounded up to a whole number.
constexpr Count rounded_up(Count a, Count b) { return (a + b - 1) / b; }

}  // namespace param_ledger
