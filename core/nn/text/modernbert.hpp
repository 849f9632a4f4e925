#pragma once

#include "core/builder/family.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

/// ModernBERT without a head, of those defaults: pre-norm, with a norm of the embeddings in place of the first layer's, gate and up in
/// one projection; as a decoder with a projection for each of queries, keys and values. Source: transformers, models/modernbert,
/// modernbert_decoder.
BackboneOutput modernbert_layers(Config c, Builder& b, const DecoderDefaults& sizes, bool decodes = false);

}  // namespace param_ledger
