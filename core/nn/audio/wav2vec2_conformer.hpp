#pragma once

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// The conformer that stands in the place of wav2vec 2.0's transformer: feed-forward, attention, convolution, feed-forward.
// Source: transformers, models/wav2vec2_conformer, wav2vec2_bert, seamless_m4t.

/// What a layer says of itself.
struct SpeechConformer {
  Expr hidden, inner, heads;
  Expr kernel;              ///< of the convolution
  bool relative = false;    ///< a projection of relative positions, with two biases
  Expr distances = {};      ///< rows of a table of relative positions; empty: there is none
  bool batch_norm = false;  ///< after the convolution; else a layer norm
};

/// Reads conv_depthwise_kernel_size, which must be odd where there are layers.
Expr conformer_kernel(Config c, Expr n_layers);
/// `linear_q` … `linear_out` [hidden, hidden] with biases, and the positions. Refuses heads of no width.
void speech_attention(Builder& b, const SpeechConformer& m);
/// `layers.[0-23].ffn1_layer_norm` …
void speech_conformer_layers(Builder& b, const SpeechConformer& m, Expr n_layers);
/// `layers.[0-n].residual_conv` …: after the encoder, each makes the sequence shorter. Reads no positions.
void speech_adapter_layers(Builder& b, const SpeechConformer& m, Expr kernel, Expr n_layers);
/// `embed_positions.inv_freq`: the frequencies of rotary positions, which is a buffer. Refuses heads of no width.
void rotary_frequencies(Builder& b, Expr hidden, Expr heads);

}  // namespace param_ledger
