#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

// Blocks shared by DETR, later detectors and segmentation models: backbones, deformable attention, small MLPs as heads.

/// Records the backbone, with frozen batch norms. If backbone_config is given, it describes the backbone, which may have the type
/// timm_backbone or any model type whose stages are known, except hiera. Otherwise the backbone is the timm ResNet that the field
/// `backbone` names (default: "resnet50"), or transformers' ResNet if use_timm_backbone is false. A timm network is recorded under
/// `timm_name`, any other under `name`. `levels`: how many of the last stages of a timm network are used by default. Returns the widths
/// of the outputs.
std::vector<Expr> detector_backbone(Config c, Builder& b, Text name, Text timm_name, std::size_t levels = 1);

/// Records the backbone that backbone_config describes, which may have any model type whose stages are known, except hiera. Returns the
/// widths of its outputs. If backbone_config is missing, the backbone belongs to the family `unnamed` and outputs the stages from `first`
/// on. If backbone_config has no model_type, it is that of `unnamed`. Throws if the field `backbone` names a network that would be
/// downloaded.
std::vector<Expr> taken_backbone(Config c, Builder& b, Text name, const Family& unnamed, std::size_t first);

/// Records the projections of the backbone's outputs to one width, each followed by a norm of 32 groups: `name.0.0`, `name.0.1` … Further
/// levels, up to `count`, are computed one after another, starting from the last output. If `last_alone` is set and `count` is at most 1,
/// only the last output is used.
void image_levels(Builder& b, Text name, const std::vector<Expr>& given, Expr d, Expr count, bool last_alone);

/// Records an MLP with `n_layers` layers, `layers.0` …, from `in` through `hidden` to `out`. Source: DetrMLPPredictionHead.
void mlp_head(Builder& b, Text name, Expr in, Expr hidden, Expr out, std::size_t n_layers);

/// Deformable attention, in which each query attends to a few positions on each level of the image.
struct DeformableAttention {
  Expr hidden, heads, levels, points;
  Text value = "value_proj", output = "output_proj";  ///< names of the projections; empty: there is none
};
/// Records `name.sampling_offsets`, attention_weights and, unless their names are empty, the value and output projections. Throws if the
/// heads do not divide the width.
void deformable_attention(Builder& b, Text name, const DeformableAttention& m);

/// Records a head for each of `count` decoder layers: one matrix, `name.0.weight` …, or, if `boxed`, an MLP of three matrices,
/// `name.0.layers.0.weight` … With `in_decoder`, the heads are stored in `model.decoder`, and each head outside the decoder is tied to the
/// one of its layer. Otherwise the heads are stored outside the decoder, and all are tied to the first one.
void layer_heads(Builder& b, Text name, Expr hidden, Expr out, Expr count, bool boxed, bool in_decoder);
/// Like `layer_heads` with `in_decoder`, for the layers `from` … `end` − 1.
void decoder_heads(Builder& b, Text name, Expr hidden, Expr out, Expr from, Expr end, bool boxed);

/// Records tables for 50 rows and 50 columns of positions, row_embeddings and column_embeddings, if position_embedding_type is "learned".
void learned_image_positions(Config c, Builder& b, Text name, Expr hidden);

/// Records DETR's heads on each query: `class_labels_classifier`, with an additional label if `no_object`, and `bbox_predictor`.
void detection_head(Config c, Builder& b, Expr hidden, bool no_object);

}  // namespace param_ledger
