#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// What a vision tower gives that is named, not described.
struct NamedTower {
  Expr hidden;
  Expr n_layers;
};

/// Records the CLIP vision model of that name on the Hub, as transformers names its tensors, under `vision_model`. Throws
/// Error{unsupported} for another name than those that are known here: `field` says it.
NamedTower named_clip_tower(Config c, Builder& b, Text field, std::string_view name);

}  // namespace param_ledger
