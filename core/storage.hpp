#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model.hpp"
#include "core/quantity.hpp"

namespace param_ledger {

/// The bytes of one row's tensors as they are stored, in one format or in parts.
struct StoredRow {
  const Row* row;
  Text format;         ///< of its numbers: "bfloat16", "Q4_K", "int4 in groups of 128"
  Count bytes = 0;     ///< of all copies
  Count beside = 0;    ///< of those, what stands beside the numbers themselves: scales, zero points
  bool loaded = true;  ///< false: of files alone, as layers that predict further tokens
};

/// The weights of a model in one way of storing them.
struct Storage {
  std::vector<StoredRow> rows;
  Count loaded = 0;     ///< bytes of what inference needs
  Count files = 0;      ///< bytes of tensors in files, without their headers
  std::string format;   ///< what the matrices are stored in, in a word
  std::string note;     ///< what a reader should know; empty: nothing
  std::string unknown;  ///< why the bytes are not known; empty: they are
};

/// `wanted`: a type of numbers ("bfloat16", "float8", …), a block format of GGUF ("Q4_0", "Q6_K", …), one of llama.cpp's mixtures of them
/// ("Q4_K_M", "Q5_K_M") or "published": as the configuration says (dtype, quantization_config). Throws Error{out_of_range} for any other.
Storage storage_of(const Model& model, std::string_view wanted);

/// The type of numbers that a configuration, or else that of its text model, says its weights have, where that is of so many bits at least;
/// of 0 bits where it says none.
NumberType configured_type(Json root, unsigned least_bits);

}  // namespace param_ledger
