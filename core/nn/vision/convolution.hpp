#pragma once

#include <string>
#include <vector>

#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// What networks of convolutions share: a convolution with its norm, stages of layers, what others take from between them.

/// A convolution without bias and the norm of its channels, under the names that most types give them.
struct ConvNorm {
  Text convolution = "convolution", norm = "normalization";
  Expr groups = {};  ///< empty: one; those of a convolution of each channel by itself are its channels
  bool bias = false;
  bool normed = true;
};
/// Records `name.convolution`, `name.normalization`.
void conv_norm(Builder& b, Text name, Expr in, Expr out, Kernel kernel, const ConvNorm& m = {});

/// A list of dimensions, one for each of `count` stages. Refuses shorter ones; longer ones transformers does not mind.
std::vector<Expr> stage_dimensions(Config c, Text name, std::initializer_list<std::uint64_t> fallback, Expr count);

/// One of the stages that a network consists of: layers of one width.
struct Stage {
  std::size_t index;
  std::string name;  ///< `encoder.stages.0`
  Expr in, out;      ///< width before and in it
  Expr depth;        ///< layers
};
/// One stage for each of `count` widths and depths, or where that is empty for as many as there are of both (Python's zip);
/// the first one takes `in`. Refuses lists that hold less than `count` entries, named as the fields are, and where there is none.
std::vector<Stage> stages(Config c, Text name, Expr in, Text widths_field, const std::vector<Expr>& widths, Text depths_field,
                          const std::vector<Expr>& depths, Expr count = {});

/// What a backbone gives to a model that takes it: its stages by out_indices or out_features (stem: 0, stage1: 1, …), else the last one.
/// Refuses what names no stage, or not in their order. Source: transformers, backbone_utils.
std::vector<std::size_t> tapped_stages(Config c, std::size_t count);

/// The stages of ResNet, as transformers names them, or timm: `layer1.0.conv1`, `bn1`, `downsample.0`.
struct ResNet {
  Expr channels, stem;
  bool bottleneck = true;
  bool shrinks_first = false;  ///< the first stage halves height and width as the others do
  bool timm = false;
};
void resnet_stem(Builder& b, const ResNet& m);
void resnet_stage(Builder& b, const ResNet& m, const Stage& stage);

/// ResNet-18 to -152 as timm builds and names it, its first `count` stages. Refuses other names.
std::vector<Expr> timm_resnet(Config c, Builder& b, Text name, std::string_view variant, Expr channels, std::size_t count = 4);

}  // namespace param_ledger
