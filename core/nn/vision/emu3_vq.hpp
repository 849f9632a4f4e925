#pragma once

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

/// The model that makes codes of images and films, and paints them again, in a scope that the type names: stages of residual blocks, some
/// with attention, convolutions over time, a codebook; norms of the decoder read the codes. Source: transformers, models/emu3.
void emu3_vq_model(Config c, Builder& b);

}  // namespace param_ledger
