#pragma once

#include "core/builder/family.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

/// Records ModernBERT without a head. `sizes` are the defaults. Its layers are pre-norm, and have fused gate and up projections. A norm on
/// the embeddings replaces the first layer's attention norm. As a decoder (`decodes`) it has separate query, key and value projections.
/// Source: transformers, models/modernbert, modernbert_decoder.
BackboneOutput modernbert_layers(Config c, Builder& b, const DecoderDefaults& sizes, bool decodes = false);

}  // namespace param_ledger
