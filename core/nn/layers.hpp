#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/builder/builder.hpp"

namespace param_ledger {

// Layers of torch.nn and other common layers, with the shapes of their stored tensors. Most of the functions are not inlined, because a
// copy at every call would enlarge the program that the page downloads.

/// Records a linear layer: `weight` [out, in] and, if `bias` is true, `bias` [out]. Source: torch.nn.Linear.
[[gnu::noinline]] void linear(Builder& b, Text name, Expr in, Expr out, bool bias = false, TensorRole role = TensorRole::unspecified);
/// Records the query, key and value projections `q_proj`, `k_proj` and `v_proj`, which are equally wide.
[[gnu::noinline]] void query_key_value(Builder& b, Expr in, Expr out, bool bias = false);
/// Records a linear layer with a transposed weight: `weight` [in, out], `bias` [out]. Source: transformers.pytorch_utils.Conv1D (GPT-2).
[[gnu::noinline]] void conv1d_linear(Builder& b, Text name, Expr in, Expr out, TensorRole role = TensorRole::unspecified);
/// Records BERT's pooler, a linear layer with bias on one hidden state of the sequence.
void pooler(Builder& b, Text name, Expr width);
/// Records an embedding table, `weight` [rows, width], in the part `embedding`. Source: torch.nn.Embedding.
[[gnu::noinline]] Tensor embedding(Builder& b, Text name, Expr rows, Expr width, TensorRole role = TensorRole::unspecified);
/// Like `embedding`, but in the part of the enclosing scope: for example, a table of relative position biases belongs to `attention`.
[[gnu::noinline]] Tensor table(Builder& b, Text name, Expr rows, Expr width);

/// The kind of norm, which determines its tensors.
enum class Norm : std::uint8_t {
  none,        ///< no norm, and therefore no tensors
  rms,         ///< `weight` [width]. Source: T5LayerNorm and its descendants
  unbiased,    ///< `weight` [width]. Source: torch.nn.LayerNorm with bias = False
  layer,       ///< `weight` and `bias` [width]. Source: torch.nn.LayerNorm
  group,       ///< `weight` and `bias` [channels]. Source: torch.nn.GroupNorm
  cumulative,  ///< `weight` [channels]. Source: transformers, Gemma3nAudioCumulativeGroupNorm
};
/// Records a norm over `width`, in the part `norm`.
[[gnu::noinline]] void norm(Builder& b, Norm kind, Text name, Expr width, TensorRole role = TensorRole::unspecified);
inline void rms_norm(Builder& b, Text name, Expr width) { norm(b, Norm::rms, name, width); }
inline void unbiased_layer_norm(Builder& b, Text name, Expr width) { norm(b, Norm::unbiased, name, width); }
inline void layer_norm(Builder& b, Text name, Expr width) { norm(b, Norm::layer, name, width); }
inline void group_norm(Builder& b, Text name, Expr channels) { norm(b, Norm::group, name, channels); }

/// The tensors of a batch norm.
enum class BatchNorm : std::uint8_t {
  whole,   ///< `weight` and `bias`, and as buffers `running_mean`, `running_var` [channels] and `num_batches_tracked` []
  frozen,  ///< `weight`, `bias`, `running_mean` and `running_var`, all as buffers. Source: DetrFrozenBatchNorm2d
  plain,   ///< only the buffers, as with affine = False
};
/// Records a batch norm in the part `norm`. Within Builder::frozen, `kind` is ignored and the norm is frozen. Source: torch.nn.BatchNorm1d,
/// BatchNorm2d.
[[gnu::noinline]] void batch_norm(Builder& b, Text name, Expr channels, BatchNorm kind = BatchNorm::whole);

/// A number that is a constant or an expression, such as the side length of a kernel.
class Size {
 public:
  Size(int number) : number_(static_cast<std::uint64_t>(number)) {}
  Size(Expr expr) : expr_(expr) {}
  [[nodiscard]] Expr in(Pool& pool) const { return expr_ ? expr_ : pool.literal(number_); }

 private:
  Expr expr_ = {};
  std::uint64_t number_ = 0;
};

/// The size of a two-dimensional kernel: a square, or height and width.
struct Kernel {
  Kernel(int side) : height(side), width(side) {}
  Kernel(Expr side) : height(side), width(side) {}
  Kernel(Sides sides) : height(sides.height), width(sides.width) {}
  Kernel(Size its_height, Size its_width) : height(its_height), width(its_width) {}
  Size height, width;
};

/// Records a convolution with one to three kernel dimensions: `weight` [out, in, kernel…] and, if `bias` is true, `bias` [out]. Source:
/// torch.nn.Conv1d, Conv2d, Conv3d.
[[gnu::noinline]] void convolution(Builder& b, Text name, Expr in, Expr out, std::initializer_list<Expr> kernel, bool bias = true);
/// Record convolutions with one or two kernel dimensions. For a grouped convolution, `in` is the number of input channels per group: see
/// `per_group`.
[[gnu::noinline]] void conv1d(Builder& b, Text name, Expr in, Expr out, Size kernel, bool bias = true);
[[gnu::noinline]] void conv2d(Builder& b, Text name, Expr in, Expr out, Kernel kernel, bool bias = true);
/// Records a convolution that maps each patch of an image or a spectrogram to a vector, and marks it as a patch embedding.
[[gnu::noinline]] void patch_embedding(Builder& b, Text name, Expr in, Expr out, Kernel patch, bool bias = true);
/// Records a patch embedding whose patches can span several frames. `tubelet` contains the number of frames, the height and the width of a
/// patch.
[[gnu::noinline]] void tubelet_embedding(Builder& b, Text name, Expr in, Expr out, std::initializer_list<Expr> tubelet, bool bias = true);
/// Record a depthwise convolution (groups = channels): `weight` [channels, 1, kernel…] and, if `bias` is true, `bias` [channels].
[[gnu::noinline]] void depthwise_conv1d(Builder& b, Text name, Expr channels, Size kernel, bool bias);
[[gnu::noinline]] void depthwise_conv2d(Builder& b, Text name, Expr channels, Kernel kernel, bool bias = true);
/// Record a transposed convolution: `weight` [in, out, kernel…] and, if `bias` is true, `bias` [out]. Source: torch.nn.ConvTranspose1d,
/// ConvTranspose2d.
[[gnu::noinline]] void transposed_conv1d(Builder& b, Text name, Expr in, Expr out, Size kernel, bool bias = true);
[[gnu::noinline]] void transposed_conv2d(Builder& b, Text name, Expr in, Expr out, Kernel kernel, bool bias = true);
/// The number of input channels per group, in ÷ groups. Throws if `groups` does not divide `in`, as torch does.
[[gnu::noinline]] Expr per_group(Expr in, Expr groups);

/// Compute base × 2^times and ⌊base ÷ 2^times⌋: the width after `times` stages that each double or halve it. Both throw if `times` is more
/// than 50.
Expr times_power_of_two(Expr base, std::size_t times);
Expr divided_by_power_of_two(Expr base, std::size_t times);

/// Whether a weight has weight normalization (a direction times a magnitude), and how the two are stored.
enum class WeightNorm : std::uint8_t {
  none,          ///< no weight norm; stored as `weight`
  parametrized,  ///< stored as `parametrizations.weight.original0` and `…original1`. Source: torch.nn.utils.parametrizations.weight_norm
  plain,         ///< stored as `weight_g` and `weight_v`. Source: torch.nn.utils.weight_norm
};
/// Records only the kernel [first, second, kernel] and, with weight norm, its magnitudes: [first, 1, 1], or [1, 1, kernel] if `by_kernel`.
[[gnu::noinline]] void normed_kernel(Builder& b, WeightNorm kind, Expr first, Expr second, Size kernel, bool by_kernel = false);
/// Records a 1-D convolution. `kind` is the weight norm of its kernel.
[[gnu::noinline]] void normed_conv1d(Builder& b, WeightNorm kind, Text name, Expr in, Expr out, Size kernel, bool bias = true);
/// Records a transposed 1-D convolution. `kind` is the weight norm of its kernel.
[[gnu::noinline]] void normed_transposed_conv1d(Builder& b, WeightNorm kind, Text name, Expr in, Expr out, Size kernel, bool bias = true);

/// Records additional tokens or position embeddings, [1, count, width], as in vision transformers.
[[gnu::noinline]] Tensor tokens(Builder& b, Text name, Size count, Expr width, TensorRole role = TensorRole::unspecified);
/// Records LayerScale, a factor for each channel of a block's output: [width].
[[gnu::noinline]] void layer_scale(Builder& b, Text name, Expr width);

/// Records attention with a fused input projection: `in_proj_weight` [3 × hidden, hidden], `in_proj_bias`, `out_proj`. Source:
/// torch.nn.MultiheadAttention.
[[gnu::noinline]] void multihead_attention(Builder& b, Text name, Expr hidden);

/// Records an LSTM: `weight_ih_l0` [4 × hidden, in], `weight_hh_l0` [4 × hidden, hidden], `bias_ih_l0`, `bias_hh_l0`. In further layers,
/// whose input is the output of the previous layer, the layer's index replaces the 0. `both_ways`: bidirectional, with `…_reverse`. Source:
/// torch.nn.LSTM.
[[gnu::noinline]] void lstm(Builder& b, Text name, Expr in, Expr hidden, Expr n_layers, bool both_ways = false);

}  // namespace param_ledger
