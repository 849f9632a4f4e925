#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

// Blocks shared by RT-DETR and later detectors: an encoder that combines transformer layers with convolutions, and the selection of encoder
// positions as queries.

inline constexpr Alias hybrid_aliases[] = {{"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}};

/// The names of the convolutions and norms in the hybrid encoder.
constexpr ConvNorm conv_and_norm{.convolution = "conv", .norm = "norm"};

/// Records the backbone that backbone_config describes, or by default a model of the family `fallback` that outputs its stages from 2 on.
/// Batch norms are frozen if freeze_backbone_batch_norms is true. Returns the widths of the outputs.
std::vector<Expr> hybrid_backbone(Config c, Builder& b, Text name, const Family& fallback);

/// Records a CSP layer: two parallel 1 × 1 convolutions, `conv1` and `conv2`, blocks of two convolutions after one of them, `bottlenecks`,
/// and, if `inner` differs from `out`, `conv3`.
void csp_layer(Builder& b, Text name, Expr in, Expr inner, Expr out, Expr n_blocks);

/// Records the projections of the backbone's outputs, which have the given `widths`, to the width `d`.
void encoder_input_proj(Builder& b, Text name, const std::vector<Expr>& widths, Expr d);
/// Records the projections from decoder_in_channels to `d`, and a 3 × 3 convolution for each further level up to num_feature_levels. The
/// first of these convolutions takes the last width in decoder_in_channels, the others take `d`.
void decoder_levels(Config c, Builder& b, Expr d);

/// Records the encoder's transformer layers, once for each level in encode_proj_layers.
void hybrid_layers(Config c, Builder& b, Expr d);

/// Records the fusion of `n_levels` levels with their neighbours: `encoder.lateral_convs`, downsample_convs, fpn_blocks, pan_blocks.
void fuse_hybrid_levels(Config c, Builder& b, Expr d, std::size_t n_levels);

/// Records the tensors that select queries: denoising embeddings for training if num_denoising is above 0, learned queries if
/// learn_initial_query is true, an MLP that embeds box positions for the queries, and the layers and heads `enc_output` … `enc_bbox_head`.
/// The MLP has two matrices with an inner width of 2 × `d` or, if `by_three`, three matrices with the inner width `d`.
void query_selection(Config c, Builder& b, Expr d, bool by_three = false);

}  // namespace param_ledger
