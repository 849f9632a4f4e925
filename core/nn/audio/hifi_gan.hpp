#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// HiFi-GAN, a vocoder. It converts a spectrogram or other features to a waveform by transposed convolutions, each followed by residual
// blocks with several dilations. Source: transformers, models/speecht5, vits, seamless_m4t, fastspeech2_conformer.

/// How a model type's HiFi-GAN vocoder differs from others.
struct HifiGan {
  std::initializer_list<std::uint64_t> kernels;  ///< the default of upsample_kernel_sizes
  std::initializer_list<std::int64_t> rates;     ///< the default of upsample_rates
  bool equally_long = false;    ///< whether the two lists must be equally long; if not, the shorter one determines the number of steps
  bool null_dilations = false;  ///< whether null stands for the default of resblock_dilation_sizes
  bool last_bias = true;
  Expr speaker = {};  ///< width of the speaker embedding, which a convolution adds to the hidden states; empty or 0: none
};

/// Reads upsample_initial_channel, upsample_rates, upsample_kernel_sizes, resblock_kernel_sizes and resblock_dilation_sizes. Records
/// `conv_pre`, `upsampler.0` …, `resblocks.0.convs1.0` …, `conv_post` and, with a speaker embedding, `cond`. Throws if there are no
/// upsampling steps.
void hifi_gan(Config c, Builder& b, Expr in, const HifiGan& type);

/// The lengths of the lists in resblock_dilation_sizes; by default three lists of length `usual`.
std::vector<Count> dilation_counts(Config c, Count usual, bool nullable = false);

/// Records `layers.0.conv`, `batch_norm` …: the postnet, whose convolutions refine a spectrogram. Reads speech_decoder_postnet_layers,
/// speech_decoder_postnet_units and speech_decoder_postnet_kernel. Source: transformers, models/speecht5, fastspeech2_conformer.
void refining_convolutions(Config c, Builder& b, Expr bins);

}  // namespace param_ledger
