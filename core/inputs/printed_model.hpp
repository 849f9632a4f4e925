#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/listing.hpp"

namespace param_ledger {

/// The text of PyTorch's `print(model)`, read.
struct PrintedModel {
  std::string class_name;            ///< of the outermost module; empty for a piece of a model
  std::vector<std::string> classes;  ///< of that and the first modules in it: a wrapper's, then the model's
  std::vector<ListedRow> rows;       ///< named as the model's own state_dict names them
  Count quantized = 0;               ///< modules that hold narrow numbers, counted as the matrices that they stand for
  bool adapted = false;              ///< LoRA's modules are there: what is not theirs is frozen
};

/// True where the text shows modules as PyTorch prints them.
bool is_printed_model(std::string_view text);

/// Reads it, which must be UTF-8. What the text does not say of a module, and what was cut, is told to `problems` by line.
/// Throws Error{too_deep}.
PrintedModel read_printed_model(std::string_view text, Problems& problems);

}  // namespace param_ledger
