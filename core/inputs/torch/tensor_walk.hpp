#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/torch/pickle.hpp"

namespace param_ledger {

/// A tensor and the path to it. What `_buffers` of a module holds is a buffer.
struct NamedTensor {
  std::string name;
  std::size_t tensor;  ///< in Pickle::tensors()
  bool buffer;
};

/// What a file holds that belongs to no model: the states of optimizers and random number generators, metrics, attributes of modules.
struct SetAside {
  std::string what;  ///< begins a sentence
  std::vector<std::size_t> tensors;
};

/// The tensors of a checkpoint. Everything in the pickle is in one of the lists, or among those that `unreached` counts.
struct CheckpointTensors {
  std::vector<NamedTensor> model;
  std::vector<SetAside> aside;
  std::string chosen;                  ///< the key of the root dict that holds the model; empty where the root does
  std::vector<std::string> unread;     ///< paths to tensors that are made by what is not read here, as sparse ones are
  std::vector<std::string> unsure;     ///< tensors of the root dict that may or may not belong to the model beside them
  std::vector<std::size_t> unreached;  ///< tensors of the pickle that the walk did not come to
};

/// Walks from the root through containers of every kind. Throws Error{too_large} where the paths to tensors are too many to follow.
CheckpointTensors walk_checkpoint(const Pickle& pickle, Pickle::Place root);

}  // namespace param_ledger
