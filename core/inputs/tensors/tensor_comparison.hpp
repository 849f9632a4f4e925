#pragma once

#include <string>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Tensors that differ between the input and the configuration's model.
struct Difference {
  std::string name;  ///< with index ranges
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> expected;  ///< if the shapes differ: the model's
  Count tensors = 0;                    ///< how many tensors of that name differ
  Count elements = 0;                   ///< in all of them
};

/// The comparison of the input with a configuration's model.
struct Comparison {
  Count matched_tensors = 0, matched_elements = 0;
  Count missing_elements = 0, unexpected_elements = 0;
  std::vector<Difference> missing;      ///< parameters and buffers of the model that were not read
  std::vector<Difference> unexpected;   ///< tensors that the model does not have
  std::vector<Difference> other_shape;  ///< tensors with another shape
  std::vector<Difference> tied_stored;  ///< tied tensors that are stored as well

  [[nodiscard]] bool agrees() const { return missing.empty() && unexpected.empty() && other_shape.empty(); }
};

/// A difference of that many tensors with `elements` each.
Difference difference(std::string name, const std::vector<std::uint64_t>& shape, Count tensors, Count elements);

/// Compares by name, with or without the module prefix of the backbone. LoRA wrappers are removed, and packed tensors are compared by the
/// numbers that they hold.
Comparison compare_tensors(const std::vector<ListedRow>& rows, const Model& model);

}  // namespace param_ledger
