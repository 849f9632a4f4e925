#pragma once

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// The network in a section of model_type timm_wrapper with outputs between stages (`model_args`: features_only, out_indices, in_chans),
/// with timm's names: ResNet-18 to -152 and RepViT. Everything after the last output is omitted. `usual`: the section is missing, and four
/// outputs are used. Refuses other networks and arguments. Source: transformers, models/timm_wrapper; timm, models/resnet.py, repvit.py.
void timm_features(Config c, Builder& b, Text name, bool usual);

}  // namespace param_ledger
