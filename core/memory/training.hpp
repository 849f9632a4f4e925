#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// How many numbers are trained for one row.
struct TrainedRow {
  const Row* row;
  Count trained = 0;  ///< in all copies; with an adapter, the adapter's own numbers
};

/// The memory for training without activations. These depend on the kernels used, and are not counted.
struct Training {
  std::vector<TrainedRow> rows;
  Count trained = 0;  ///< trained numbers
  Count frozen = 0;   ///< numbers that an adapter does not train
  Count weights = 0;  ///< bytes of the trained numbers, in the type used for computation
  Count gradients = 0;
  Count master = 0;     ///< 32-bit master copies
  Count states = 0;     ///< bytes of the optimizer's states
  std::string unknown;  ///< why an adapter is not counted; empty: it is
  std::string note;     ///< the adapter's names that match nothing; empty: all match
};

/// The request: {"optimizer": "adamw", "precision": "mixed", "lora": {"r": 16, "target_modules": […], "target_parameters": […],
/// "modules_to_save": […], "use_dora": false}}; every member is optional. Throws Error for an invalid request.
Training training_of(const Model& model, Json request);
/// Training of the tensors that one device holds. Also throws Error for adapters.
Training training_of(std::span<const Row> rows, Json request);

}  // namespace param_ledger
