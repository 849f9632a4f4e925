#pragma once

#include "core/builder/family.hpp"

namespace param_ledger {

// What D-FINE and DEIMv2 share: boxes as distributions. Source: transformers, models/d_fine, deimv2.

/// hidden_expansion × d ÷ 2, the width of a way of the convolutions that join levels.
Expr joint_width(Config c, Expr d);
/// 3 × depth_mult, the blocks of each joint.
Expr joint_blocks(Config c);

/// The points that each query looks at, on all levels: decoder_n_points of each.
Expr sampled_points(Config c);
/// Records `encoder_attn.sampling_offsets`, attention_weights and num_points_scale.
void point_attention(Builder& b, Expr d, Expr heads, Expr points);

/// Layers of the decoder: those after the one that eval_idx names are there twice.
Expr fine_depth(Config c, Expr n_layers);

/// decoder_in_channels brought to `d` where the last of them is another width: all levels are taken to be as wide as the last.
void fine_levels(Config c, Builder& b, Expr d, Text convolution, Text norm);

/// `decoder.pre_bbox_head`, lqe_layers, reg_scale and up: what refines boxes, and judges them layer by layer.
void fine_boxes(Config c, Builder& b, Expr d, Expr n_layers);

/// The heads of …ForObjectDetection, in the decoder, and tied to them beside it. `shared`: all boxes by one of them.
void fine_head(Config c, Builder& b, const BackboneOutput& m, bool shared);

}  // namespace param_ledger
