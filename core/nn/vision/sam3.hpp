#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// Blocks shared by the model types of SAM 3. Source: transformers, models/sam3.

/// Records the neck, which scales a vision tower's output of width `in` to several resolutions: `name.fpn_layers`. `c` is the section with
/// fpn_hidden_size.
void sam3_neck(Config c, Builder& b, Text name, Expr in);
/// Records a vision transformer of the family `transformer` under the name `tower`, and its neck under the name `neck`.
void sam3_vision(Config c, Builder& b, const Family& transformer, Text tower, Text neck);
/// Records the detector: a vision tower of the family `vision`, a text encoder, and the modules for detection and segmentation. `text`
/// records the text encoder and returns its width.
void sam3_detector(Config c, Builder& b, const Family& vision, Expr (*text)(Config c, Builder& b));

}  // namespace param_ledger
