#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// The width and the depth of a vision tower that a configuration gives only by name.
struct NamedTower {
  Expr hidden;
  Expr n_layers;
};

/// Records the vision model of CLIP that has the id `name` on the Hugging Face Hub, with transformers' tensor names, under `vision_model`.
/// Throws Error{unsupported} that blames `field` if the id is not in the list of known models.
NamedTower named_clip_tower(Config c, Builder& b, Text field, std::string_view name);

}  // namespace param_ledger
