#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/torch/pickle.hpp"

namespace param_ledger {

/// A tensor, named by its path. Tensors in a module's `_buffers` are buffers.
struct NamedTensor {
  std::string name;
  std::size_t tensor;  ///< position of the tensor in Pickle::tensors()
  bool buffer;
};

/// Contents of a file that are not part of the model, such as states of optimizers and random number generators, metrics, and other
/// attributes of modules.
struct SetAside {
  std::string what;  ///< a description for the user
  std::vector<std::size_t> tensors;
};

/// The tensors of a checkpoint. Each tensor in the pickle is in at least one of `model`, `aside` and `unreached`.
struct CheckpointTensors {
  std::vector<NamedTensor> model;
  std::vector<SetAside> aside;
  std::string chosen;                  ///< the key under which the root dict holds the model; empty if the root itself is the model
  std::vector<std::string> unread;     ///< paths to tensors of unsupported kinds, such as sparse ones
  std::vector<std::string> unsure;     ///< tensors next to or in the model for which it is unclear whether they belong to it
  std::vector<std::size_t> unreached;  ///< tensors in the pickle that the walk did not reach
};

/// Walks the containers that are reachable from `root`, down to a maximum depth. Throws Error{too_large} if there are too many paths.
CheckpointTensors walk_checkpoint(const Pickle& pickle, Pickle::Place root);

}  // namespace param_ledger
