#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// The sizes of a vision tower that the configuration names but does not describe.
struct NamedTower {
  Expr hidden;
  Expr n_layers;
};

/// Records the CLIP vision model that is called `name` on the Hugging Face Hub, with transformers' tensor names, under `vision_model`.
/// Throws Error{unsupported} naming `field` if the name is unknown.
NamedTower named_clip_tower(Config c, Builder& b, Text field, std::string_view name);

}  // namespace param_ledger
