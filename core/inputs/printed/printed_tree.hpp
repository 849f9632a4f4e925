#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// One module of PyTorch's `print(model)`, or a parameter of a ParameterList. Its texts are views of the input.
struct PrintedModule {
  std::string_view name;       ///< in its parent: "q_proj", "0", "0-31"; empty for the model itself
  std::string_view type;       ///< its class; "Parameter" for a parameter
  std::string_view arguments;  ///< the contents of its brackets before the first submodule; for a parameter its sizes: "3x4"
  std::uint64_t line = 0;
  std::uint64_t times = 1;  ///< the 32 of `32 x`
  std::size_t parent = 0;
  std::size_t end = 0;  ///< one past its last submodule
  bool holds_modules = false;
};

/// Whether the text shows modules as PyTorch prints them.
bool is_printed_model(std::string_view text);

/// The modules in the order of the text, each before its submodules. The first one is a root that contains all. Text around the model
/// (prompts, code, logs) is skipped. Reports anything that is not a module, a second model, and cut text to `problems` by line. Throws
/// Error{too_deep}.
std::vector<PrintedModule> printed_tree(std::string_view text, Problems& problems);

}  // namespace param_ledger
