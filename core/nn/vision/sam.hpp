#pragma once

#include "core/config/config.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// What SAM and the models after it share: a vision tower, an encoder of prompts, a decoder of masks, a memory of frames.

/// What the modules of SAM's vision tower are called.
struct SamNames {
  Text patches = "patch_embed.projection", layers = "layers", norm1 = "layer_norm1", norm2 = "layer_norm2";
  Text neck[4] = {"conv1", "layer_norm1", "conv2", "layer_norm2"};
};
/// SAM's vision tower, in a scope that the type names: layers that attend within windows, or in some layers everywhere, by relative
/// positions; a neck. mlp_dim is 3,072 where it is not said, or where `by_ratio` what mlp_ratio says. Returns its output's channels.
/// Source: transformers, models/sam.
Expr sam_vision(Config c, Builder& b, bool by_ratio, const SamNames& names = {}, std::uint64_t side = 1024);

/// Which of them it is.
enum class Sam : std::uint8_t { first, high_quality, second };

/// `proj_in`, `layers.[0-…]`, `proj_out`: at least two layers.
void sam_mlp(Builder& b, Text name, Expr in, Expr inner, Expr out, Expr n_layers);
/// Attention at a width of its own. Refuses heads of no width; the first ones those that do not share it out.
void sam_attention(Builder& b, Text name, Expr d, Expr memory, Expr inner, Expr heads, Sam kind);
/// `mask_embed`, `point_embed` …, without what it shares with the model.
void sam_prompts(Config c, Builder& b, Text name, Sam kind);
/// The decoder of masks, whose layers attend both ways.
void sam_masks(Config c, Builder& b, Text name, Sam kind);

/// What remembers earlier frames of a video: `memory_attention`, `memory_encoder` and the rest, of which `d` is the vision tower's
/// width. Source: transformers, models/sam2_video, edgetam_video (`named`: under other names, 2 layers).
void sam_memory(Config c, Builder& b, Expr d, bool named);

}  // namespace param_ledger
