#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"

namespace param_ledger {

// Blocks shared by Mask2Former, OneFormer and MaskFormer, in which each query predicts a mask. Source: transformers, models/mask2former.

/// Records a convolution, by default without bias, and a norm of 32 groups: `name.0`, `name.1`.
void conv_group_norm(Builder& b, Text name, Expr in, Expr out, int kernel, bool bias = false);

/// The widths of a pixel decoder and of its masks, and the name of the field with the strides of its levels.
struct PixelDecoder {
  Expr d, masks;
  Text strides;
};
/// Records the pixel decoder. The last three outputs of the backbone, or all if there are fewer, pass through layers of deformable
/// attention. Finer levels are then fused with the outputs of these layers.
void pixel_decoder(Config c, Builder& b, const std::vector<Expr>& seen, const PixelDecoder& m);

/// Records an MLP. Each matrix is in a submodule together with its activation: `name.0.0` …
void mask_mlp(Builder& b, Text name, Expr in, Expr inner, Expr out, std::size_t n_layers);
/// The first decoder_layers − 1 layers, because transformers builds one layer fewer than decoder_layers.
IndexSet layers_before_last(Config c);
/// The settings of self-attention among the queries.
Attention mask_query_attention(Expr d, Expr heads);
/// Records `class_predictor`, with an additional label for "no object", and the class weights of the training loss. For MaskFormer, also
/// records the mask embedder. Records nothing for the bare model.
void mask_class_head(Config c, Builder& b, const BackboneOutput& m);

}  // namespace param_ledger
