#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// A module that may have parameters that the text does not show, usually because its class is not part of PyTorch.
struct PrintedPlace {
  std::string name;  ///< its path, with index ranges as in rows; empty for the outermost module
  std::string type;  ///< its class name
  std::uint64_t line = 0;
  Count copies = 1;
  bool hollow = false;  ///< the text shows no parameters of this module or of its submodules, and the classes of the submodules have none
  bool empty = false;   ///< whether its class usually has no parameters, such as an activation
  bool weight_said = false;  ///< the text describes its `weight`
  bool bias_said = false;    ///< the text describes its `bias`, or shows that there is none
  bool adapter = false;      ///< whether it belongs to an adapter
};

/// The parsed text of PyTorch's `print(model)`.
struct PrintedModel {
  std::string class_name;            ///< class of the outermost module; empty for a fragment of a model
  std::vector<ListedRow> rows;       ///< the parameters and buffers that the text shows, with state_dict names
  std::vector<PrintedPlace> places;  ///< modules that may have parameters that the text does not show
  Count quantized = 0;               ///< number of modules with quantized weights, which are counted as the unquantized matrices
  bool adapted = false;              ///< whether there are adapters such as LoRA; everything else then counts as frozen

  /// The prefix and the class of a module that may be the model.
  struct Candidate {
    std::string prefix;  ///< the module's path with a final dot: "base_model.model."
    std::string type;
  };
  std::vector<Candidate> candidates;  ///< the outermost modules, each inside the one before it; if the model's class is known, one of them
                                      ///< is the model, and those before it are wrappers
};

}  // namespace param_ledger
