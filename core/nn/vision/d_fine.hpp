#pragma once

#include "core/builder/family.hpp"

namespace param_ledger {

// Functions shared by D-FINE and DEIMv2, which predict boxes as distributions. Source: transformers, models/d_fine, deimv2.

/// The width of a branch in the fusion blocks: hidden_expansion × d ÷ 2, rounded down.
Expr joint_width(Config c, Expr d);
/// The number of blocks in each fusion block: 3 × depth_mult, rounded.
Expr joint_blocks(Config c);

/// The number of points that each attention head samples for a query, over all levels. decoder_n_points gives the number per level.
Expr sampled_points(Config c);
/// Records the layers of D-FINE's deformable attention: `encoder_attn.sampling_offsets`, attention_weights and num_points_scale.
void point_attention(Builder& b, Expr d, Expr heads, Expr points);

/// The number of decoder layers that are stored: `n_layers`, and one more for each layer after the one that eval_idx selects.
Expr d_fine_depth(Config c, Expr n_layers);

/// Records the projections from decoder_in_channels to `d`. There are none if the last of these widths equals `d`. All levels are assumed
/// to have the last width.
void d_fine_levels(Config c, Builder& b, Expr d, Text convolution, Text norm);

/// Records `decoder.pre_bbox_head`, which predicts the first boxes, lqe_layers, which score the boxes of each layer, and reg_scale and up,
/// which scale the distributions of box edges.
void d_fine_boxes(Config c, Builder& b, Expr d, Expr n_layers);

/// Records the heads of …ForObjectDetection inside the decoder, and their tied copies outside it. `shared`: all layers share one box head.
void d_fine_head(Config c, Builder& b, const BackboneOutput& m, bool shared);

}  // namespace param_ledger
