#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// A module of a class outside of PyTorch, which may have parameters that the text does not show.
struct PrintedPlace {
  std::string name;  ///< with index ranges, as in rows; empty: the outermost module
  std::string type;  ///< its class
  std::uint64_t line = 0;
  Count copies = 1;
  bool hollow = false;       ///< shows nothing, and by their classes its modules have nothing
  bool empty = false;        ///< of a class that usually has no parameters: an activation
  bool weight_said = false;  ///< the text describes its `weight`
  bool bias_said = false;    ///< the text describes its `bias`, or says that there is none
  bool adapter = false;      ///< belongs to an adapter
};

/// The parsed text of PyTorch's `print(model)`.
struct PrintedModel {
  std::string class_name;            ///< the outermost module's; empty for a piece of a model
  std::vector<ListedRow> rows;       ///< the parameters that the text shows, with state_dict names
  std::vector<PrintedPlace> places;  ///< modules that may have more
  Count quantized = 0;               ///< modules with packed numbers, counted as the matrices that they stand for
  bool adapted = false;              ///< contains adapters such as LoRA; everything else is frozen

  /// A module that is not a wrapper: its prefix and its class. Empty if a piece of a model was printed.
  struct Candidate {
    std::string prefix;  ///< "base_model.model."
    std::string type;
  };
  std::vector<Candidate> candidates;  ///< the model, or wrappers and then the model in them
};

}  // namespace param_ledger
