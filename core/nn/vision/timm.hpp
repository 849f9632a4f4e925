#pragma once

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// Records the timm network of a section with model_type timm_wrapper. The network must output intermediate features (`model_args`:
/// features_only, out_indices, in_chans). Its tensors have timm's names. Supports ResNet-18 to -152 and RepViT, and throws for other
/// networks and arguments. Omits everything after the last output. `usual`: the section is missing, so the network is transformers'
/// default, ResNet-50 with four outputs. Source: transformers, models/timm_wrapper; timm, models/resnet.py, repvit.py.
void timm_features(Config c, Builder& b, Text name, bool usual);

}  // namespace param_ledger
