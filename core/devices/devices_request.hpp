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
  Count tokens;     ///< tokens in the context of each sequence
  Count sequences;  ///< the batch size times the number of beams
  Count room;       ///< bytes of one device's memory; 0: unknown
  std::optional<Count> rank;
  std::string_view weights;
  CacheNumbers cache;
  Count source;   ///< tokens that an encoder reads
  Count data;     ///< copies of the model that train together
  Json training;  ///< the settings that training_of reads, and the stage of ZeRO
  bool trains;
  Count zero;  ///< the stage of ZeRO; 0 without training
  bool sequence;
  bool steps;

  /// How many devices hold the same share of the model, counted over all data-parallel copies. `expert_copies` is for experts that expert
  /// parallelism distributes whole, and `dense_copies` for everything else.
  [[nodiscard]] Count dense_copies() const { return multiply(data, sizes.across() / sizes.tensor); }
  [[nodiscard]] Count expert_copies() const { return multiply(data, sizes.across() / sizes.expert); }
};

}  // namespace param_ledger
