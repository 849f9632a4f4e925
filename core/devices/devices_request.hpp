#pragma once

#include <optional>
#include <string_view>

#include "core/devices/divided_row.hpp"
#include "core/devices/engine.hpp"
#include "core/json/json.hpp"
#include "core/memory/memory_request.hpp"

namespace param_ledger {

/// A request about devices; web/types/devices.ts documents it.
struct DevicesRequest {
  /// Throws Error for an invalid request.
  explicit DevicesRequest(Json request);

  Engine engine;
  Sizes sizes;
  Count tokens;     ///< in the context of each sequence
  Count sequences;  ///< the batch size times the number of beams
  Count room;       ///< bytes of one device's memory; 0: unknown
  std::optional<Count> rank;
  std::string_view weights;
  CacheNumbers cache;
  Count source;   ///< tokens that an encoder reads
  Count data;     ///< copies of the model that train together
  Json training;  ///< the settings that training_of reads
  bool trains;
  Count zero;  ///< the stage of ZeRO; 0 without training
  bool sequence;
  bool steps;

  /// The number of devices that hold the same share, over all copies of the model. `dense_copies` is for everything except whole experts,
  /// and `expert_copies` for whole experts.
  [[nodiscard]] Count dense_copies() const { return multiply(data, sizes.across() / sizes.tensor); }
  [[nodiscard]] Count expert_copies() const { return multiply(data, sizes.across() / sizes.expert); }
};

}  // namespace param_ledger
