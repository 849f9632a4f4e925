#pragma once

#include "core/config/config.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Shared by SAM and its descendants: a vision tower, a prompt encoder, a mask decoder, a memory of frames.

/// The names of modules in SAM's vision tower.
struct SamNames {
  Text patches = "patch_embed.projection", layers = "layers", norm1 = "layer_norm1", norm2 = "layer_norm2";
  Text neck[4] = {"conv1", "layer_norm1", "conv2", "layer_norm2"};
};
/// SAM's vision tower, inside the caller's scope: layers with windowed attention and, in some of them, global attention, with relative
/// positions; a neck. mlp_dim is 3,072 by default, or follows from mlp_ratio if `by_ratio`. Returns the output channels. Source:
/// transformers, models/sam.
Expr sam_vision(Config c, Builder& b, bool by_ratio, const SamNames& names = {}, std::uint64_t side = 1024);

/// The generation of SAM.
enum class Sam : std::uint8_t { first, high_quality, second };

/// `proj_in`, `layers.[0-…]`, `proj_out`: at least two layers.
void sam_mlp(Builder& b, Text name, Expr in, Expr inner, Expr out, Expr n_layers);
/// Attention at its own width. Refuses a head dimension of 0 and, in the first generation, heads that do not divide the width.
void sam_attention(Builder& b, Text name, Expr d, Expr memory, Expr inner, Expr heads, Sam kind);
/// `mask_embed`, `point_embed` …, without the positional encoding that the model shares.
void sam_prompts(Config c, Builder& b, Text name, Sam kind);
/// The mask decoder. Its layers have cross-attention in both directions.
void sam_masks(Config c, Builder& b, Text name, Sam kind);

/// The memory of earlier video frames: `memory_attention`, `memory_encoder` and the rest. `d` is the width of the vision tower; `named`:
/// EdgeTAM's names and 2 layers. Source: transformers, models/sam2_video, edgetam_video.
void sam_memory(Config c, Builder& b, Expr d, bool named);

}  // namespace param_ledger
