#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/inputs/tensors/tensor_table.hpp"

namespace param_ledger {

/// What the files given list, taken together.
struct Listing {
  /// One that was given, or that an index names.
  struct File {
    std::string name;
    std::uint64_t tensors = 0;
    bool given = true;
  };
  TensorTable table;
  Problems problems;
  std::vector<File> files;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< the first few
  std::vector<std::string> notes;                             ///< what a reader should know, and no fault
  std::optional<std::uint64_t> total_size;                    ///< as an index says it, in bytes
  std::optional<std::uint64_t> total_parameters;              ///< the same, where it says it
};

}  // namespace param_ledger
