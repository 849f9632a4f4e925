#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// What one tensor's trained numbers add, in bytes.
struct TrainedRow {
  const Row* row;
  Count trained = 0;  ///< numbers that are trained, of all copies; of an adapter its own
};

/// Bytes of training beside activations, which depend on kernels and are not counted.
struct Training {
  std::vector<TrainedRow> rows;
  Count trained = 0;  ///< numbers
  Count frozen = 0;   ///< numbers that an adapter leaves as they are
  Count weights = 0;  ///< bytes of those that are trained, in the type that is multiplied
  Count gradients = 0;
  Count master = 0;     ///< copies in 32 bits
  Count states = 0;     ///< of the optimizer
  std::string unknown;  ///< why an adapter is not counted; empty: it is
  std::string note;     ///< names of an adapter that nothing has; empty: there are none
};

/// The request: {"optimizer": "adamw", "precision": "mixed", "lora": {"r": 16, "target_modules": […], "target_parameters": […],
/// "modules_to_save": […], "use_dora": false}}; all may be missing. Throws Error for what is no such request.
Training training_of(const Model& model, Json request);

}  // namespace param_ledger
