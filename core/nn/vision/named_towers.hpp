#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// The outputs of a vision tower that is named but not described.
struct NamedTower {
  Expr hidden;
  Expr n_layers;
};

/// Records the CLIP vision model of that name on the Hub, with transformers' tensor names, under `vision_model`. Throws Error{unsupported}
/// naming `field` for unknown names.
NamedTower named_clip_tower(Config c, Builder& b, Text field, std::string_view name);

}  // namespace param_ledger
