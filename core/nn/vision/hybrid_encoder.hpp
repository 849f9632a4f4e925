#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

// What RT-DETR and the detectors after it share: an encoder of layers and convolutions, and what is chosen of its places as queries.

inline constexpr Alias hybrid_aliases[] = {{"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}};

/// The names of its convolutions.
constexpr ConvNorm conv_and_norm{.convolution = "conv", .norm = "norm"};

/// The backbone that backbone_config describes, with batch norms frozen where freeze_backbone_batch_norms; where there is none, what
/// `fallback` is, whose stages 2 to 4 are taken. Returns the widths of what it gives.
std::vector<Expr> hybrid_backbone(Config c, Builder& b, Text name, const Family& fallback);

/// A convolution of 1 × 1 through two ways, one of them with blocks of two convolutions: `conv1`, `conv2`, `bottlenecks`, `conv3`.
void csp_layer(Builder& b, Text name, Expr in, Expr inner, Expr out, Expr n_blocks);

/// `encoder_input_proj` of what the backbone gives, of the first `count`: brought to one width.
void brought_to(Builder& b, Text name, const std::vector<Expr>& widths, Expr d);
/// decoder_in_channels brought to d_model, and levels beyond these made of the last.
void decoder_levels(Config c, Builder& b, Expr d);

/// The encoder's layers, encode_proj_layers times.
void hybrid_layers(Config c, Builder& b, Expr d);

/// What joins `n_levels` levels with their neighbours: `encoder.lateral_convs`, downsample_convs, fpn_blocks, pan_blocks.
void hybrid_joints(Config c, Builder& b, Expr d, std::size_t n_levels);

/// What denoises in training, chooses queries and says what they are: `denoising_class_embed` … `enc_bbox_head`. Places become queries by
/// two matrices, the first twice as wide, or by three of one width.
void chosen_queries(Config c, Builder& b, Expr d, bool by_three = false);

}  // namespace param_ledger
