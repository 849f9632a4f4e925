#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"

namespace param_ledger {

// What Mask2Former, OneFormer and MaskFormer share: queries that each tell of a mask. Source: transformers, models/mask2former.

/// A convolution, mostly without bias, and a norm of 32 groups: `name.0`, `name.1`.
void conv_group_norm(Builder& b, Text name, Expr in, Expr out, int kernel, bool bias = false);

/// Widths of a pixel decoder and of its masks; the field that holds the strides of its levels.
struct PixelDecoder {
  Expr d, masks;
  Text strides;
};
/// Three levels pass layers of deformable attention, finer ones are joined with them.
void pixel_decoder(Config c, Builder& b, const std::vector<Expr>& seen, const PixelDecoder& m);

/// Matrices, each inside a block with its activation: `name.0.0` …
void mask_mlp(Builder& b, Text name, Expr in, Expr inner, Expr out, std::size_t n_layers);
/// decoder_layers, of which the last one only reads what there is.
IndexSet layers_but_one(Config c);
/// Attention among queries.
Attention mask_query_attention(Expr d, Expr heads);
/// `class_predictor`, with one label more for none, and what weighs the labels in training; of MaskFormer the masks' embedder, too.
void mask_class_head(Config c, Builder& b, const BackboneOutput& m);

}  // namespace param_ledger
