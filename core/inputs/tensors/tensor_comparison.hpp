#pragma once

#include <string>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Tensors in which what was read and what a configuration's model has differ.
struct Difference {
  std::string name;  ///< with index ranges
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> expected;  ///< of another shape than the model's: that
  Count tensors = 0;                    ///< of the name's, how many differ
  Count elements = 0;                   ///< of all of these
};

/// What was read beside what a configuration's model has.
struct Comparison {
  Count matched_tensors = 0, matched_elements = 0;
  Count missing_elements = 0, unexpected_elements = 0;
  std::vector<Difference> missing;      ///< parameters and buffers of the model that were not read
  std::vector<Difference> unexpected;   ///< what was read and is none of the model's
  std::vector<Difference> other_shape;  ///< what both have, differently
  std::vector<Difference> tied_stored;  ///< tensors that share another's storage, and are there all the same

  [[nodiscard]] bool agrees() const { return missing.empty() && unexpected.empty() && other_shape.empty(); }
};

/// Tensors of a name and a shape, `elements` in each of them.
Difference difference(std::string name, const std::vector<std::uint64_t>& shape, Count tensors, Count elements);

/// Compares by names, with or without the module that holds the backbone in front; what LoRA wraps is compared unwrapped, packed numbers
/// as those that they hold.
Comparison compare_tensors(const std::vector<ListedRow>& rows, const Model& model);

}  // namespace param_ledger
