#pragma once

#include <string>

#include "core/builder/inference.hpp"
#include "core/devices/devices_request.hpp"
#include "core/devices/division.hpp"

namespace param_ledger {

/// The size of the cache on one device, for all sequences.
struct DeviceCache {
  Count bytes = 0;
  std::string unknown = {};  ///< why the bytes are unknown; empty if they are known
};
DeviceCache cache_on(const Division& division, const RankKind& kind, const Inference& inference, const DevicesRequest& request);

}  // namespace param_ledger
