#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"

namespace param_ledger {

/// A module of a printed model that may hold parameters of its own which the text does not show: of a class that is not PyTorch's.
struct PrintedPlace {
  std::string name;  ///< with index ranges, as rows have them; empty: the outermost module
  std::string type;  ///< its class
  std::uint64_t line = 0;
  Count copies = 1;
  bool hollow = false;       ///< nothing is shown in it, and no module in it may hold anything, as far as their classes tell
  bool empty = false;        ///< of a class that usually holds nothing: an activation
  bool weight_said = false;  ///< the text says what its `weight` is
  bool bias_said = false;    ///< the text says what its `bias` is, or that there is none
  bool adapter = false;      ///< an adapter's
};

/// The text of PyTorch's `print(model)`, read.
struct PrintedModel {
  std::string class_name;            ///< of the outermost module; empty for a piece of a model
  std::vector<ListedRow> rows;       ///< what the text shows, named as the model's own state_dict names it
  std::vector<PrintedPlace> places;  ///< where more may be
  Count quantized = 0;               ///< modules that hold narrow numbers, counted as the matrices that they stand for
  bool adapted = false;              ///< adapters (LoRA's and others) are there: what is not theirs is frozen

  /// A module that wraps no other: what it is in, and its class. Empty where a piece of a model was printed.
  struct Candidate {
    std::string prefix;  ///< "base_model.model."
    std::string type;
  };
  std::vector<Candidate> candidates;  ///< the model, or wrappers and then the model in them
};

}  // namespace param_ledger
