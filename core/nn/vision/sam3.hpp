#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// Shared by the types of SAM 3. Source: transformers, models/sam3.

/// Scales a tower's output, `in` wide, to several resolutions: `name.fpn_layers`. `c` is the section with fpn_hidden_size.
void sam3_neck(Config c, Builder& b, Text name, Expr in);
/// A vision transformer of that family and its neck, under these names.
void sam3_vision(Config c, Builder& b, const Family& transformer, Text tower, Text neck);
/// The detector: a vision tower of that family, a text encoder that `text` records and returns the width of, and the modules that detect
/// and segment.
void sam3_detector(Config c, Builder& b, const Family& vision, Expr (*text)(Config c, Builder& b));

}  // namespace param_ledger
