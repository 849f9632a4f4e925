#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/inputs/tensors/tensor_table.hpp"

namespace param_ledger {

/// The tensors, problems, metadata and notes from the files in a request.
struct Listing {
  /// A file in the request, or one that a shard index names.
  struct File {
    std::string name;
    std::uint64_t tensors = 0;
    bool given = true;
  };
  TensorTable table;
  Problems problems;
  std::vector<File> files;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< the first entries of the metadata in the files
  std::vector<std::string> notes;                             ///< remarks that are not problems
  std::optional<std::uint64_t> total_size;                    ///< the total size in bytes that a shard index gives
  std::optional<std::uint64_t> total_parameters;              ///< the total number of parameters that a shard index gives
};

}  // namespace param_ledger
