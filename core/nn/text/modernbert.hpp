#pragma once

#include "core/builder/family.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

/// ModernBERT without a head, with the given defaults: pre-norm, a norm on the embeddings instead of the first layer's, fused gate and up
/// projections. As a decoder it has separate query, key and value projections. Source: transformers, models/modernbert, modernbert_decoder.
BackboneOutput modernbert_layers(Config c, Builder& b, const DecoderDefaults& sizes, bool decodes = false);

}  // namespace param_ledger
