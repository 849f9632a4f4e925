#pragma once

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// The layers shared by the Perception Encoders for audio, video and both: like Qwen3's. Source: transformers, models/pe_audio, pe_video.

LlamaDecoder pe_fields(Config c);
BackboneOutput pe_layers(Builder& b, const LlamaDecoder& m);

/// The layers on top of `embedder`, which is called with their width.
template <class Embedder>
BackboneOutput pe_encoder(Config c, Builder& b, const Embedder& embedder) {
  const LlamaDecoder m = pe_fields(c);
  b.scope("embedder", [&] { embedder(m.attention.hidden); });
  return pe_layers(b, m);
}

}  // namespace param_ledger
