#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

// What DETR and the detectors after it share: a backbone whose norms are frozen, attention to few places, small networks as heads.

/// What a detector takes from its backbone.
struct DetectorBackbone {
  std::vector<Expr> widths;  ///< of what it takes, from early to late
  bool timm;                 ///< it is a network of timm's
};
/// The backbone that backbone_config describes, of any type that is known, or else ResNet as timm has it (`backbone`, "resnet50"; where
/// use_timm_backbone is false, as transformers has it). Records it under `name`; of timm's under `timm_name`. `levels`: what is taken
/// of timm's where the configuration does not say it: the last so many stages.
DetectorBackbone detector_backbone(Config c, Builder& b, Text name, Text timm_name, std::size_t levels = 1);

/// The backbone that backbone_config describes, of any type that is known; where there is none, what `unnamed` is, whose stages from
/// `first` on are taken. One without a type is of `unnamed`'s. Records it under `name` and returns the widths of what it gives.
/// Refuses a `backbone` that would be fetched.
std::vector<Expr> taken_backbone(Config c, Builder& b, Text name, const Family& unnamed, std::size_t first);

/// What a backbone gives, each level brought to one width with a norm of 32 groups: `name.0.0`, `name.0.1` …; those of `count` levels
/// beyond are made of the last. Where there is one level, of the last alone, if `last_alone`.
void image_levels(Builder& b, Text name, const std::vector<Expr>& given, Expr d, Expr count, bool last_alone);

/// `layers.0` …: matrices from `in` through `hidden` to `out`. Source: DetrMLPPredictionHead.
void mlp_head(Builder& b, Text name, Expr in, Expr hidden, Expr out, std::size_t n_layers);

/// Attention that looks at few places, each of which a query chooses, on each level of the image.
struct DeformableAttention {
  Expr hidden, heads, levels, points;
  Text value = "value_proj", output = "output_proj";
};
/// Records `name.sampling_offsets`, attention_weights, value_proj and output_proj. Refuses heads that do not share the width out.
void deformable_attention(Builder& b, Text name, const DeformableAttention& m);

/// Heads of each of `count` layers of a decoder: `name.0.weight` … of one matrix, or where `boxed` `name.0.layers.0.weight` … of three.
/// In the decoder (`model.decoder`), where the heads beside it are tied to them layer by layer; or beside it, where all are tied to the
/// first.
void layer_heads(Builder& b, Text name, Expr hidden, Expr out, Expr count, bool boxed, bool in_decoder);
/// Those in the decoder of the layers `from` … `end` − 1 alone.
void decoder_heads(Builder& b, Text name, Expr hidden, Expr out, Expr from, Expr end, bool boxed);

/// Tables of 50 rows and 50 columns, where position_embedding_type is "learned", not "sine": row_embeddings, column_embeddings.
void learned_image_positions(Config c, Builder& b, Text name, Expr hidden);

/// `class_labels_classifier`, with one label more where `no_object`, and `bbox_predictor`: what DETR tells of each query.
void detection_head(Config c, Builder& b, Expr hidden, bool no_object);

}  // namespace param_ledger
