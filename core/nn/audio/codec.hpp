#pragma once

#include <vector>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// The blocks shared by audio codecs and vocoders: convolutions that downsample and upsample waveforms, Snake activations, and codebooks.

/// The sizes of SEANet's encoder and decoder, which consist of convolutions, residual blocks and, in some models, an LSTM, under
/// `layers.0.conv` … Source: transformers, encodec, mimi.
struct Seanet {
  Expr channels, filters, hidden;
  Expr kernel, last_kernel, residual_kernel;
  Expr compress;             ///< the factor by which residual blocks reduce the number of channels inside
  Expr n_residual;           ///< residual blocks in each downsampling or upsampling step
  std::vector<Expr> ratios;  ///< upsampling factor of each decoder step
  bool shortcut = false;     ///< whether the skip connection of each residual block has a convolution
  WeightNorm weight_norm = WeightNorm::none;
  bool group_norm = false;  ///< whether a group norm follows each convolution
  Expr lstm_layers = {};    ///< number of LSTM layers, which are where the sequence is shortest; empty: no LSTM
};
/// Reads audio_channels, hidden_size, num_filters, num_residual_layers, upsampling_ratios, kernel_size, last_kernel_size,
/// residual_kernel_size, compress and use_conv_shortcut. If `type` has ratios, they are used and upsampling_ratios is not read.
Seanet seanet_fields(Config c, const Seanet& type, std::uint64_t hidden, std::uint64_t filters, std::uint64_t last_kernel,
                     std::initializer_list<std::uint64_t> ratios);
void seanet_encoder(Builder& b, const Seanet& m);
void seanet_decoder(Builder& b, const Seanet& m);

/// The tensors in which a Snake activation stores its parameters.
enum class Snake : std::uint8_t {
  alpha,      ///< `alpha` [1, channels, 1]
  with_beta,  ///< `act.alpha` and `act.beta` [channels]
};
/// Records a Snake activation with a separate magnitude: `name.alpha`, `name.beta`.
void snake_with_beta(Builder& b, Text name, Expr width);

/// Records DAC's encoder, with Snake activations between convolutions: `conv1`, `block.0.res_unit1.snake1.alpha` … Each step divides
/// the length of the sequence by one of `ratios` and doubles the number of channels, which is `first` before the first step. Source:
/// transformers, models/dac.
void dac_encoder(Builder& b, Expr first, const std::vector<Expr>& ratios, Expr out, Snake kind = Snake::alpha);
/// Records DAC's decoder, which halves the number of channels in each step. Throws if there are no steps.
void dac_decoder(Config c, Builder& b, Expr in, Expr first, const std::vector<Expr>& ratios, Text ratios_field);

/// The number of codebooks that the last of target_bandwidths (in kbit/s) allows, rounded down like Python's `//`. `widest` is used if the
/// field is missing.
Expr quantizers_of_bandwidth(Config c, Expr sampling_rate, const std::vector<Expr>& ratios, Expr codebook_size, double widest);
/// Records residual codebooks, e.g. `name.[0-31].codebook.embed` [size, width]. They are buffers, because moving averages update them, not
/// gradients.
void residual_codebooks(Builder& b, Text name, Expr count, Expr size, Expr width);
/// Throws unless `size` is a power of two.
void require_power_of_two(Config c, Text field, Expr size);
/// Reads a list of dimensions. If it is missing, null or empty, returns the default.
std::vector<Expr> ratios_or(Config c, Text field, std::initializer_list<std::uint64_t> fallback);

}  // namespace param_ledger
