#pragma once

#include <string>
#include <vector>

#include "core/inputs/listing.hpp"
#include "core/model.hpp"

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
  /// Rows of one name, of whatever shapes and indices: as read, and as the model has it.
  struct Pair {
    std::size_t listed;
    std::size_t expected;
    std::vector<Count> indices;  ///< how many were read at each index of the name; empty where other rows of that name are there, too
  };
  Count matched_tensors = 0, matched_elements = 0;
  Count missing_elements = 0, unexpected_elements = 0;
  std::vector<Difference> missing;      ///< parameters and buffers of the model that were not read
  std::vector<Difference> unexpected;   ///< what was read and is none of the model's
  std::vector<Difference> other_shape;  ///< what both have, differently
  std::vector<Pair> pairs;
  std::vector<Difference> tied_stored;  ///< tensors that share another's storage, and are there all the same

  [[nodiscard]] bool agrees() const { return missing.empty() && unexpected.empty() && other_shape.empty(); }
};

/// Whether only names, shapes and parameters count, as in printed models, which show no buffers.
enum class Compared : std::uint8_t { files, printed };

/// Compares by names, with or without the module that holds the backbone in front; what LoRA wraps is compared unwrapped, packed numbers
/// as those that they hold.
Comparison compare_tensors(const std::vector<ListedRow>& rows, const Model& model, Compared what);

}  // namespace param_ledger
