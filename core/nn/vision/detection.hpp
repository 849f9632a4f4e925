#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

// Shared by DETR and later detectors: a backbone with frozen norms, deformable attention, small MLPs as heads.

/// The backbone outputs that a detector uses.
struct DetectorBackbone {
  std::vector<Expr> widths;  ///< widths of the outputs, from early to late stages
  bool timm;                 ///< whether it is a timm network
};
/// Records the backbone. If backbone_config is given, it describes the backbone, which can be of any known type. Otherwise the backbone is
/// the timm ResNet that the field `backbone` names (default: "resnet50"), or transformers' ResNet if use_timm_backbone is false. A timm
/// network is called `timm_name`, any other one `name`. `levels`: how many of the last stages of a timm network are used by default.
DetectorBackbone detector_backbone(Config c, Builder& b, Text name, Text timm_name, std::size_t levels = 1);

/// Records the backbone that backbone_config describes, which can be of any known type, and returns the widths of its outputs. Without
/// backbone_config, the backbone is of the family `unnamed` and outputs the stages from `first` on; without a model_type in
/// backbone_config, it is of the family `unnamed` too. Throws if the field `backbone` names a network that would be downloaded.
std::vector<Expr> taken_backbone(Config c, Builder& b, Text name, const Family& unnamed, std::size_t first);

/// Records the projections of the backbone's outputs to one width, each with a norm of 32 groups: `name.0.0`, `name.0.1` … Further levels,
/// up to `count`, are computed from the last output. If `last_alone` is set and `count` is 1, only the last output is used.
void image_levels(Builder& b, Text name, const std::vector<Expr>& given, Expr d, Expr count, bool last_alone);

/// Records an MLP, `layers.0` …, from `in` through `hidden` to `out`. Source: DetrMLPPredictionHead.
void mlp_head(Builder& b, Text name, Expr in, Expr hidden, Expr out, std::size_t n_layers);

/// Deformable attention: each query selects a few positions on each image level.
struct DeformableAttention {
  Expr hidden, heads, levels, points;
  Text value = "value_proj", output = "output_proj";
};
/// Records `name.sampling_offsets`, attention_weights, value_proj and output_proj. Throws if the heads do not divide the width.
void deformable_attention(Builder& b, Text name, const DeformableAttention& m);

/// Records a head for each of `count` decoder layers: one matrix, `name.0.weight` …, or, if `boxed`, an MLP of three,
/// `name.0.layers.0.weight` … With `in_decoder`, the heads are stored in `model.decoder`, and those outside it are tied to them layer by
/// layer. Otherwise they are stored outside, and all are tied to the first one.
void layer_heads(Builder& b, Text name, Expr hidden, Expr out, Expr count, bool boxed, bool in_decoder);
/// Like `layer_heads` with `in_decoder`, for the layers `from` … `end` − 1.
void decoder_heads(Builder& b, Text name, Expr hidden, Expr out, Expr from, Expr end, bool boxed);

/// Records tables for 50 rows and 50 columns of positions if position_embedding_type is "learned": row_embeddings, column_embeddings.
void learned_image_positions(Config c, Builder& b, Text name, Expr hidden);

/// Records DETR's outputs for each query: `class_labels_classifier`, with one more label if `no_object`, and `bbox_predictor`.
void detection_head(Config c, Builder& b, Expr hidden, bool no_object);

}  // namespace param_ledger
