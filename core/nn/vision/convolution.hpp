#pragma once

#include <string>
#include <vector>

#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// Blocks of convolutional networks (a convolution with its norm, stages of layers, ResNets), and the choice of the stages that a backbone
// of any kind outputs.

/// A convolution and the norm after it. By default the convolution has no bias.
struct ConvNorm {
  Text convolution = "convolution", norm = "normalization";
  Expr groups = {};  ///< number of groups; empty: one; for a depthwise convolution, the number of channels
  bool bias = false;
  bool normed = true;  ///< whether there is a norm
};
/// Records a convolution and its norm, if any: `name.convolution` and `name.normalization`, or with the names in `m`.
void conv_norm(Builder& b, Text name, Expr in, Expr out, Kernel kernel, const ConvNorm& m = {});

/// Reads a list of dimensions, one for each stage. Throws if the list has fewer than `count` entries. A longer list is accepted, as in
/// transformers.
std::vector<Expr> stage_dimensions(Config c, Text name, std::initializer_list<std::uint64_t> fallback, Expr count);

/// Throws unless `depths`, the field with the number of layers of each stage, has 1 to 32 entries. With more entries, widths that double in
/// each stage could overflow.
void require_stages(Config c, const std::vector<Expr>& depths);
/// The inner width of the feed-forward blocks in a stage: mlp_ratio × width, rounded down. If mlp_ratio is not a whole number, formulas
/// call it `inner_sizes[stage]`.
Expr stage_inner_width(Config c, std::size_t stage, Expr width, double ratio);

/// A stage of a convolutional network: layers of the same width.
struct Stage {
  std::size_t index;
  std::string name;  ///< name of the stage's module, e.g. `encoder.stages.0`
  Expr in, out;      ///< input and output width
  Expr depth;        ///< number of layers
};
/// Creates one stage for each of the first `count` widths and depths or, without `count`, for each pair of entries (like Python's zip). The
/// first stage has the input width `in`. Throws if a list is empty or has fewer than `count` entries; the message names the list's field.
std::vector<Stage> stages(Config c, Text name, Expr in, Text widths_field, const std::vector<Expr>& widths, Text depths_field,
                          const std::vector<Expr>& depths, Expr count = {});

/// The stages that a backbone outputs: those in out_indices or out_features (stem: 0, stage1: 1, …), or the last one if neither is given.
/// Throws if a stage does not exist, if the stages are not distinct and in ascending order, or if both fields are given and name different
/// stages. Source: transformers, backbone_utils.
std::vector<std::size_t> tapped_stages(Config c, std::size_t count);

/// The sizes of a ResNet. With `timm`, its tensors have the names in timm instead of those in transformers: `layer1.0.conv1`, `bn1`,
/// `downsample.0`.
struct ResNet {
  Expr channels, stem;
  bool bottleneck = true;
  bool shrinks_first = false;  ///< whether the first stage halves height and width, too
  bool timm = false;
};
void resnet_stem(Builder& b, const ResNet& m);
void resnet_stage(Builder& b, const ResNet& m, const Stage& stage);

/// Records the stem and the first `count` stages of timm's ResNet-18, -34, -50, -101 or -152, and returns the widths of the stages. Throws
/// for other variants.
std::vector<Expr> timm_resnet(Config c, Builder& b, Text name, std::string_view variant, Expr channels, std::size_t count = 4);

}  // namespace param_ledger
