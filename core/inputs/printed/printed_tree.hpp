#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// A module in the output of PyTorch's `print(model)`, or a parameter of a ParameterList. The strings are views of the input.
struct PrintedModule {
  std::string_view name;       ///< its name in the parent module: "q_proj", "0", "0-31"; empty for the model itself
  std::string_view type;       ///< class name; "Parameter" or "Buffer" for a tensor
  std::string_view arguments;  ///< the contents of its parentheses before the first submodule; for a tensor the size: "3x4"
  std::uint64_t line = 0;
  std::uint64_t times = 1;  ///< the number before the `x` in `32 x`, or 1
  std::size_t parent = 0;
  std::size_t end = 0;  ///< index of the first later module that is not inside it
  bool holds_modules = false;
};

/// Whether the text contains modules in the form in which PyTorch prints them.
bool is_printed_model(std::string_view text);

/// The modules in the order of the text, each before its submodules. The first element is a root that contains all others. Text around the
/// model (prompts, code, logs) is skipped. Reports lines inside the model that are not modules, a second model, inconsistent indentation
/// and truncated text to `problems` with line numbers. Throws Error{too_deep}.
std::vector<PrintedModule> printed_tree(std::string_view text, Problems& problems);

}  // namespace param_ledger
