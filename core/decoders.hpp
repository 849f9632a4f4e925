#pragma once

#include <cstdint>

#include "core/blocks/attention.hpp"
#include "core/blocks/feed_forward.hpp"
#include "core/family.hpp"

namespace param_ledger {

/// What nearly every decoder says of its size.
struct DecoderSizes {
  Expr d, f, n_layers, vocab, n;
};

/// A type's defaults of the fields that these types spell alike.
struct DecoderDefaults {
  std::uint64_t hidden, inner, layers, vocabulary, heads;
};

/// Reads hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads.
DecoderSizes decoder_sizes(Config c, const DecoderDefaults& defaults);

/// embed_tokens, what `layers` records, and a last RMS norm.
template <class Layers>
Backbone decoder(Builder& b, Expr vocabulary, Expr hidden, Layers&& layers) {
  const Tensor table = embedding(b, "embed_tokens", vocabulary, hidden);
  layers();
  rms_norm(b, "norm", hidden);
  return {.hidden = hidden, .embedding = table};
}

/// The decoder of Llama, which many types share under their own defaults: norm, attention, norm, gated feed-forward.
struct LlamaDecoder {
  Attention attention;
  Expr inner;
  Expr n_layers;
  Expr vocabulary;
  bool mlp_bias = false;
};

/// Reads the sizes; the rest is left to the type.
LlamaDecoder llama_fields(Config c, const DecoderDefaults& defaults);

/// Records embed_tokens, layers and norm.
Backbone llama_decoder(Builder& b, const LlamaDecoder& m);

}  // namespace param_ledger
