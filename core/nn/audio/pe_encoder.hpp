#pragma once

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// What the Perception Encoders for audio, for video and for both have in common: a block of two convolutions, transformer layers with
// Qwen3's structure, and an output projection. Source: transformers, models/pe_audio, pe_video, pe_audio_video.

LlamaDecoder pe_fields(Config c);
BackboneOutput pe_layers(Builder& b, const LlamaDecoder& m);

/// Records the embedder, by calling `embedder` with the width of the layers, and then everything from the convolutions to the output
/// projection.
template <class Embedder>
BackboneOutput pe_encoder(Config c, Builder& b, const Embedder& embedder) {
  const LlamaDecoder m = pe_fields(c);
  b.scope("embedder", [&] { embedder(m.attention.hidden); });
  return pe_layers(b, m);
}

}  // namespace param_ledger
