#pragma once

#include "core/decoders.hpp"
#include "core/family.hpp"

namespace param_ledger {

/// ModernBERT without a head, of those defaults: pre-norm, with a norm of the embeddings in place of the first layer's, gate and up in
/// one projection. Source: transformers, models/modernbert.
Backbone modernbert_encoder(Config c, Builder& b, const DecoderDefaults& sizes);

}  // namespace param_ledger
