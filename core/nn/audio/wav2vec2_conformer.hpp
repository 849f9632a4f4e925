#pragma once

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// The conformer layers that replace wav2vec 2.0's transformer layers: feed-forward, attention, convolution, feed-forward.
// FastSpeech2Conformer uses only their attention. Source: transformers, models/wav2vec2_conformer, wav2vec2_bert, seamless_m4t.

/// The sizes of a layer in a speech conformer.
struct SpeechConformer {
  Expr hidden, inner, heads;
  Expr kernel;              ///< kernel size of the convolution
  bool relative = false;    ///< whether attention has a projection of relative positions and two biases
  Expr distances = {};      ///< rows of the table of relative positions; empty: none
  bool batch_norm = false;  ///< whether a batch norm instead of a layer norm follows the convolution
};

/// Reads conv_depthwise_kernel_size. Throws if it is even, unless there are no layers.
Expr conformer_kernel(Config c, Expr n_layers);
/// Records `linear_q` … `linear_out` [hidden, hidden] with biases, and the tensors for relative positions, if there are any. Throws if the
/// head dimension is 0.
void speech_attention(Builder& b, const SpeechConformer& m);
/// Records the conformer layers, e.g. `layers.[0-23].ffn1_layer_norm`.
void speech_conformer_layers(Builder& b, const SpeechConformer& m, Expr n_layers);
/// Records the layers of the adapter after the encoder: `layers`, each with `residual_conv` … The convolutions can shorten the sequence.
/// Attention has no relative positions here.
void speech_adapter_layers(Builder& b, const SpeechConformer& m, Expr kernel, Expr n_layers);
/// Records the buffer `embed_positions.inv_freq`: RoPE's frequencies. Throws if the head dimension is 0.
void rotary_frequencies(Builder& b, Expr hidden, Expr heads);

}  // namespace param_ledger
