#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// What the types of SAM 3 share. Source: transformers, models/sam3.

/// What a tower of that width sees, brought to several sizes: `name.fpn_layers`, of the section that has fpn_hidden_size.
void sam3_neck(Config c, Builder& b, Text name, Expr in);
/// A vision transformer of that family and its neck, under these names.
void sam3_vision(Config c, Builder& b, const Family& transformer, Text tower, Text neck);
/// The detector: a vision tower of that family, what `text` records and tells the width of, and all that finds and masks what it names.
void sam3_detector(Config c, Builder& b, const Family& vision, Expr (*text)(Config c, Builder& b));

}  // namespace param_ledger
