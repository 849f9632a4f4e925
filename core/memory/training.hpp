#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/blocks.hpp"
#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// The number of trained parameters for one row.
struct TrainedRow {
  const Row* row;
  Count trained = 0;  ///< trained parameters in all copies of the row; with an adapter, those of the adapter
};

/// The memory for training, except for activations. Their size depends on the kernels used and is not counted.
struct Training {
  std::vector<TrainedRow> rows;
  Count trained = 0;  ///< number of trained parameters
  Count frozen = 0;   ///< the model's own parameters, which are frozen while an adapter is trained; 0 without an adapter
  Count weights = 0;  ///< bytes of the trained parameters, in the type used for computation
  Count gradients = 0;
  Count master = 0;     ///< bytes of the 32-bit master copies
  Count states = 0;     ///< bytes of the optimizer's states
  std::string unknown;  ///< why the adapter is not counted; empty if it is, and without an adapter
  std::string note;     ///< a sentence about the adapter's names that match nothing; empty if all match, and without an adapter
};

/// The memory for training a model with these blocks. The request: {"optimizer": "adamw", "precision": "mixed", "lora": {"r": 16,
/// "target_modules": […], "target_parameters": […], "modules_to_save": […], "use_dora": false}}; every member is optional, but `lora` must
/// give r and target_modules. Throws Error for an invalid request.
Training training_of(const Model& model, std::span<const BlockRows> blocks, Json request);
/// The memory for training the tensors that one device holds. Throws Error for an invalid request, and for a request with an adapter.
Training training_of(std::span<const Row> rows, Json request);

}  // namespace param_ledger
