#pragma once

#include <string>
#include <vector>

#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// Shared by convolutional networks: a convolution with its norm, stages of layers, and the stages that a backbone outputs.

/// A convolution without bias and its norm, with the most common names.
struct ConvNorm {
  Text convolution = "convolution", norm = "normalization";
  Expr groups = {};  ///< empty: one; for a depthwise convolution the number of channels
  bool bias = false;
  bool normed = true;
};
/// Records `name.convolution`, `name.normalization`.
void conv_norm(Builder& b, Text name, Expr in, Expr out, Kernel kernel, const ConvNorm& m = {});

/// A list of dimensions, one per stage. Refuses shorter lists; transformers accepts longer ones.
std::vector<Expr> stage_dimensions(Config c, Text name, std::initializer_list<std::uint64_t> fallback, Expr count);

/// A stage of a network: layers of one width.
struct Stage {
  std::size_t index;
  std::string name;  ///< `encoder.stages.0`
  Expr in, out;      ///< input width and width of the stage
  Expr depth;        ///< number of layers
};
/// One stage for each of `count` widths and depths; without `count`, for as many as both lists have (Python's zip). The first stage reads
/// `in`. Refuses lists with fewer than `count` entries, naming their fields, and 0 stages.
std::vector<Stage> stages(Config c, Text name, Expr in, Text widths_field, const std::vector<Expr>& widths, Text depths_field,
                          const std::vector<Expr>& depths, Expr count = {});

/// The stages that a backbone outputs: those in out_indices or out_features (stem: 0, stage1: 1, …), else the last one. Refuses unknown
/// stages and a wrong order. Source: transformers, backbone_utils.
std::vector<std::size_t> tapped_stages(Config c, std::size_t count);

/// ResNet's stages, with transformers' names or timm's: `layer1.0.conv1`, `bn1`, `downsample.0`.
struct ResNet {
  Expr channels, stem;
  bool bottleneck = true;
  bool shrinks_first = false;  ///< the first stage also halves height and width
  bool timm = false;
};
void resnet_stem(Builder& b, const ResNet& m);
void resnet_stage(Builder& b, const ResNet& m, const Stage& stage);

/// The first `count` stages of timm's ResNet-18 to -152. Refuses other names.
std::vector<Expr> timm_resnet(Config c, Builder& b, Text name, std::string_view variant, Expr channels, std::size_t count = 4);

}  // namespace param_ledger
