#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// HiFi-GAN, the vocoder: a spectrogram becomes a waveform by transposed convolutions, each followed by residual blocks that see
// several distances. Source: transformers, models/speecht5, vits, seamless_m4t, fastspeech2_conformer.

/// What a type says of its own.
struct HifiGan {
  std::initializer_list<std::uint64_t> kernels;  ///< the default of upsample_kernel_sizes
  std::initializer_list<std::int64_t> rates;     ///< the default of upsample_rates
  bool equally_long = false;                     ///< both lists must have as many entries; else the shorter one counts
  bool null_dilations = false;                   ///< null is the default of resblock_dilation_sizes
  bool last_bias = true;
  Expr speaker = {};  ///< width of a speaker's vector, which is projected in; empty or 0: there is none
};

/// Reads upsample_initial_channel, upsample_rates, upsample_kernel_sizes, resblock_kernel_sizes and resblock_dilation_sizes; records
/// `conv_pre`, `upsampler.0` …, `resblocks.0.convs1.0` …, `conv_post`. Refuses a vocoder that lengthens nothing.
void hifi_gan(Config c, Builder& b, Expr in, const HifiGan& type);

/// Reads resblock_dilation_sizes, a list of lists: how many entries each of them has; three of `usual` where missing.
std::vector<Count> dilation_counts(Config c, Count usual, bool nullable = false);

/// `layers.0.conv`, `batch_norm` …: what refines a spectrogram. Reads speech_decoder_postnet_layers, _units and _kernel.
/// Source: transformers, models/speecht5, fastspeech2_conformer.
void refining_convolutions(Config c, Builder& b, Expr bins);

}  // namespace param_ledger
