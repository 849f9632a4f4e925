#pragma once

#include <vector>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// What codecs share: waveforms made shorter and longer by convolutions, and codebooks between.

/// factor × 2^times, and ⌊base ÷ 2^times⌋. Refuse what no model has.
Expr doubled(Expr base, std::size_t times);
Expr halved(Expr base, std::size_t times);

/// The networks of SEANet: convolutions with residual blocks between, under `layers.0.conv` … Source: transformers, encodec, mimi.
struct Seanet {
  Expr channels, filters, hidden;
  Expr kernel, last_kernel, residual_kernel;
  Expr compress;             ///< how much narrower residual blocks are inside
  Expr n_residual;           ///< residual blocks at each length
  std::vector<Expr> ratios;  ///< how much longer each step of the decoder makes its input
  bool shortcut = false;     ///< a convolution beside each residual block
  WeightNorm weight_norm = WeightNorm::none;
  bool group_norm = false;  ///< a norm after each convolution
  Expr lstm_layers = {};    ///< of an LSTM where the sequence is shortest; empty: there is none
};
/// Reads audio_channels, hidden_size, num_filters, num_residual_layers, upsampling_ratios, kernel_size, last_kernel_size,
/// residual_kernel_size, compress and use_conv_shortcut.
Seanet seanet_fields(Config c, const Seanet& type, std::uint64_t hidden, std::uint64_t filters, std::uint64_t last_kernel,
                     std::initializer_list<std::uint64_t> ratios);
void seanet_encoder(Builder& b, const Seanet& m);
void seanet_decoder(Builder& b, const Seanet& m);

/// What Snake, an activation, stores.
enum class Snake : std::uint8_t {
  alpha,      ///< `alpha` [1, channels, 1]
  with_beta,  ///< `act.alpha` and `act.beta` [channels]
};
/// Snake with another number for the size of what it adds: `name.alpha`, `name.beta`.
void snake_with_beta(Builder& b, Text name, Expr width);

/// DAC's networks, with Snake between convolutions: `conv1`, `block.0.res_unit1.snake1.alpha` … Source: transformers, models/dac.
/// Each step makes the sequence shorter by one of `ratios` and doubles `first` channels.
void dac_encoder(Builder& b, Expr first, const std::vector<Expr>& ratios, Expr out, Snake kind = Snake::alpha);
/// The other way round, halving `first` channels; refuses no steps.
void dac_decoder(Config c, Builder& b, Expr in, Expr first, const std::vector<Expr>& ratios, Text ratios_field);

/// How many codebooks the last of target_bandwidths has room for, as Python's `//` counts them; `widest` where it is missing.
Expr quantizers_of_bandwidth(Config c, Expr sampling_rate, const std::vector<Expr>& ratios, Expr codebook_size, double widest);
/// `name.[0-31].codebook.embed` [size, width] …: codebooks one after another, learned by averages, which are buffers.
void residual_codebooks(Builder& b, Text name, Expr count, Expr size, Expr width);
/// Refuses what is no power of two.
void require_power_of_two(Config c, Text field, Expr size);
/// The lists of a field that null or an empty list leaves as it is by default.
std::vector<Expr> ratios_or(Config c, Text field, std::initializer_list<std::uint64_t> fallback);

}  // namespace param_ledger
