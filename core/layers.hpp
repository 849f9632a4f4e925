#pragma once

#include <string_view>

#include "core/builder.hpp"

namespace param_ledger {

// The vocabulary of torch.nn, with the shapes that it stores. Not inlined: called from everywhere, they would fill the download.

/// `weight` [out, in], `bias` [out]. Source: torch.nn.Linear.
[[gnu::noinline]] void linear(Builder& b, Text name, Expr in, Expr out, bool bias = false);
/// The same the other way round: `weight` [in, out], `bias` [out]. Source: transformers.pytorch_utils.Conv1D (GPT-2).
[[gnu::noinline]] void conv1d_linear(Builder& b, Text name, Expr in, Expr out);
/// `weight` [rows, width], in the part `embedding`. Source: torch.nn.Embedding.
[[gnu::noinline]] Tensor embedding(Builder& b, Text name, Expr rows, Expr width);
/// `weight` [rows, width] that belongs to the part around it: positions inside a tower, relative biases.
[[gnu::noinline]] Tensor table(Builder& b, Text name, Expr rows, Expr width);

/// What a norm stores.
enum class Norm : std::uint8_t {
  none,   ///< nothing
  rms,    ///< `weight` [width]. Source: T5LayerNorm and its descendants; torch.nn.LayerNorm without bias
  layer,  ///< `weight` and `bias` [width]. Source: torch.nn.LayerNorm, GroupNorm
};
/// Records a norm over `width`, in the part `norm`.
[[gnu::noinline]] void norm(Builder& b, Norm kind, Text name, Expr width);
inline void rms_norm(Builder& b, Text name, Expr width) { norm(b, Norm::rms, name, width); }
inline void layer_norm(Builder& b, Text name, Expr width) { norm(b, Norm::layer, name, width); }

/// One filter per channel: `weight` [channels, 1, kernel], `bias` [channels]. Source: torch.nn.Conv1d with groups = channels.
[[gnu::noinline]] void depthwise_conv1d(Builder& b, Text name, Expr channels, Expr kernel, bool bias);
/// `weight` [out, in, kernel…], `bias` [out]: one to three kernel dimensions. Source: torch.nn.Conv1d, Conv2d, Conv3d.
[[gnu::noinline]] void convolution(Builder& b, Text name, Expr in, Expr out, std::initializer_list<Expr> kernel, bool bias = true);

}  // namespace param_ledger
