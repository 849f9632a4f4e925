#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// The conformer layers in the audio encoders of Gemma 3n and 4: feed-forward, attention with relative positions, convolution, feed-forward.

/// The sizes of a conformer layer, and how its linear layers are stored.
struct Conformer {
  Expr hidden;
  Expr heads;
  Expr kernel;
  bool wrapped = false;  ///< whether linear layers are stored as `name.linear`
  bool clipped = false;  ///< whether wrapped linear layers have four clipping limits, which are buffers
};

/// Records a linear layer of Gemma 4's vision and audio towers: `name.linear.weight`, with clipping limits if `clipped`.
void clippable_linear(Builder& b, Text name, Expr in, Expr out, bool clipped, TensorRole role = TensorRole::unspecified);

/// Records a conformer's feed-forward block: `name.pre_layer_norm`, ffw_layer_1, ffw_layer_2, post_layer_norm.
void conformer_feed_forward(Builder& b, Text name, const Conformer& m);
/// Records `q_proj`, k_proj, v_proj, per_dim_scale, and the projection of relative positions under the name `positions`. The caller records
/// the output projection. Throws if the head dimension is 0.
void conformer_attention(Builder& b, const Conformer& m, Text positions);
/// Records a linear layer in the form that the conformer's `wrapped` and `clipped` select.
void conformer_linear(Builder& b, const Conformer& m, Text name, Expr in, Expr out, TensorRole role = TensorRole::unspecified);
/// Records the convolution module: `lconv1d.linear_start` …
void conformer_convolution(Builder& b, const Conformer& m);

/// The sizes of the layers that subsample a spectrogram: two convolutions over time and frequency, each with a norm, and a projection from
/// `second` × `bands`. Names: `subsample_conv_projection.<name_1>.conv`, norm, input_proj_linear.
struct Subsampling {
  Expr first, second;             ///< channels of the two convolutions
  Expr kernel_1[2], kernel_2[2];  ///< kernel sizes of the two convolutions
  Expr bands;                     ///< frequency bands that remain after the convolutions
  Text name_1, name_2;
  Norm norm;
};
void subsampling(Builder& b, const Subsampling& m, Expr hidden);

/// The numbers of channels of two convolutions. `channel_pair` reads them from a list and throws unless it has two non-negative entries.
struct ChannelPair {
  Expr first, second;
};
ChannelPair channel_pair(Config c, Text field, std::int64_t first, std::int64_t second);

}  // namespace param_ledger
