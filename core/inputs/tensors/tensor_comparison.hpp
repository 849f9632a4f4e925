#pragma once

#include <string>
#include <vector>

#include "core/inputs/tensors/listed_row.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// Tensors in which the input and the configuration's model differ.
struct Difference {
  std::string name;  ///< the name, with index ranges
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> expected;  ///< the shape in the model, if the shapes differ
  Count tensors = 0;                    ///< number of tensors with this name that differ
  Count elements = 0;                   ///< number of elements in all differing tensors with this name
};

/// The comparison of the input with a configuration's model.
struct Comparison {
  Count matched_tensors = 0, matched_elements = 0;
  Count missing_elements = 0, unexpected_elements = 0;
  std::vector<Difference> missing;      ///< parameters and buffers of the model that the input lacks
  std::vector<Difference> unexpected;   ///< tensors that the model does not have
  std::vector<Difference> other_shape;  ///< tensors whose shapes differ from the model's
  std::vector<Difference> tied_stored;  ///< tied tensors that the input stores as well

  [[nodiscard]] bool agrees() const { return missing.empty() && unexpected.empty() && other_shape.empty(); }
};

/// A difference in `tensors` tensors that have `elements` elements each.
Difference difference(std::string name, const std::vector<std::uint64_t>& shape, Count tensors, Count elements);

/// Compares tensors by name. All names in the input may lack the backbone's prefix, or begin with an additional module. Ignores LoRA
/// wrappers in names, and compares packed tensors by the number of weights that they hold.
Comparison compare_tensors(const std::vector<ListedRow>& rows, const Model& model);

}  // namespace param_ledger
