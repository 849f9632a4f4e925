#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

// Shared by RT-DETR and later detectors: an encoder of layers and convolutions, and the selection of its positions as queries.

inline constexpr Alias hybrid_aliases[] = {{"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}};

/// The names of its convolutions.
constexpr ConvNorm conv_and_norm{.convolution = "conv", .norm = "norm"};

/// The backbone that backbone_config describes, with frozen batch norms if freeze_backbone_batch_norms is true; by default stages 2 to 4 of
/// `fallback`. Returns the widths of its outputs.
std::vector<Expr> hybrid_backbone(Config c, Builder& b, Text name, const Family& fallback);

/// A CSP layer: two branches of 1 × 1 convolutions, one of them with blocks of two convolutions: `conv1`, `conv2`, `bottlenecks`, `conv3`.
void csp_layer(Builder& b, Text name, Expr in, Expr inner, Expr out, Expr n_blocks);

/// `encoder_input_proj`: projects the backbone's first `count` outputs to one width.
void encoder_input_proj(Builder& b, Text name, const std::vector<Expr>& widths, Expr d);
/// Projects decoder_in_channels to d_model; further levels are computed from the last one.
void decoder_levels(Config c, Builder& b, Expr d);

/// The encoder's layers, once per level in encode_proj_layers.
void hybrid_layers(Config c, Builder& b, Expr d);

/// Fuses `n_levels` levels with their neighbours: `encoder.lateral_convs`, downsample_convs, fpn_blocks, pan_blocks.
void fuse_hybrid_levels(Config c, Builder& b, Expr d, std::size_t n_levels);

/// Denoising embeddings for training, query selection, and the heads on selected queries: `denoising_class_embed` … `enc_bbox_head`.
/// Positions become queries through two matrices, the first twice as wide, or with `by_three` through three of one width.
void query_selection(Config c, Builder& b, Expr d, bool by_three = false);

}  // namespace param_ledger
