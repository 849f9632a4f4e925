#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

// Shared by DETR and later detectors: a backbone with frozen norms, deformable attention, small MLPs as heads.

/// The backbone outputs that a detector uses.
struct DetectorBackbone {
  std::vector<Expr> widths;  ///< from early to late stages
  bool timm;                 ///< a timm network
};
/// Records the backbone: the one that backbone_config describes, of any known type; else a ResNet of timm (`backbone`, "resnet50"), or of
/// transformers if use_timm_backbone is false. It is called `name`, or `timm_name` if it is timm's. `levels`: how many of timm's last
/// stages are used by default.
DetectorBackbone detector_backbone(Config c, Builder& b, Text name, Text timm_name, std::size_t levels = 1);

/// Records the backbone that backbone_config describes, of any known type, and returns the widths of its outputs. Without backbone_config
/// it is `unnamed`'s, with the stages from `first` on; without a model_type it is `unnamed`'s, too. Refuses a `backbone` that would be
/// downloaded.
std::vector<Expr> taken_backbone(Config c, Builder& b, Text name, const Family& unnamed, std::size_t first);

/// Projects the backbone's outputs to one width, each with a norm of 32 groups: `name.0.0`, `name.0.1` … Further levels, up to `count`, are
/// computed from the last output. With `last_alone`, a single level uses only the last output.
void image_levels(Builder& b, Text name, const std::vector<Expr>& given, Expr d, Expr count, bool last_alone);

/// `layers.0` …: matrices from `in` through `hidden` to `out`. Source: DetrMLPPredictionHead.
void mlp_head(Builder& b, Text name, Expr in, Expr hidden, Expr out, std::size_t n_layers);

/// Deformable attention: each query selects a few positions on each image level.
struct DeformableAttention {
  Expr hidden, heads, levels, points;
  Text value = "value_proj", output = "output_proj";
};
/// Records `name.sampling_offsets`, attention_weights, value_proj and output_proj. Refuses heads that do not divide the width.
void deformable_attention(Builder& b, Text name, const DeformableAttention& m);

/// Heads for each of `count` decoder layers: `name.0.weight` … of one matrix, or, with `boxed`, `name.0.layers.0.weight` … of three. With
/// `in_decoder` they are in `model.decoder`, and those outside are tied to them layer by layer. Otherwise they are outside, all tied to the
/// first.
void layer_heads(Builder& b, Text name, Expr hidden, Expr out, Expr count, bool boxed, bool in_decoder);
/// The heads in the decoder for layers `from` … `end` − 1 only.
void decoder_heads(Builder& b, Text name, Expr hidden, Expr out, Expr from, Expr end, bool boxed);

/// Tables of 50 rows and 50 columns, if position_embedding_type is "learned": row_embeddings, column_embeddings.
void learned_image_positions(Config c, Builder& b, Text name, Expr hidden);

/// `class_labels_classifier`, with one more label if `no_object`, and `bbox_predictor`: DETR's outputs for each query.
void detection_head(Config c, Builder& b, Expr hidden, bool no_object);

}  // namespace param_ledger
