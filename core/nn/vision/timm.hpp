#pragma once

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// What a section of model_type timm_wrapper describes where the outputs between its stages are asked for (`model_args`: features_only,
/// out_indices, in_chans), as timm builds and names it: ResNet-18 to -152 and RepViT. What lies behind the last output is left out.
/// `usual`: the section is not there, and model_args are those of four outputs. Refuses other networks and arguments.
/// Source: transformers, models/timm_wrapper; timm, models/resnet.py, repvit.py.
void timm_features(Config c, Builder& b, Text name, bool usual);

}  // namespace param_ledger
