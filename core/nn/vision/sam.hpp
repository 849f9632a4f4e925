#pragma once

#include "core/config/config.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Blocks shared by SAM and later versions: a vision tower (which some OCR models use, too), a prompt encoder, a mask decoder, and a memory
// of earlier frames.

/// The module names in SAM's vision tower.
struct SamNames {
  Text patches = "patch_embed.projection", layers = "layers", norm1 = "layer_norm1", norm2 = "layer_norm2";
  Text neck[4] = {"conv1", "layer_norm1", "conv2", "layer_norm2"};
};
/// The sizes of SAM's vision tower: layers with windowed or global attention, and a neck.
struct SamTower {
  SamNames names;
  bool bias, absolute, relative;  ///< whether queries, keys and values have biases; absolute and relative positions
  Expr hidden = {}, inner = {}, n_layers = {}, heads = {};
  Expr out = {};  ///< output channels of the neck
  Image image = {};
  Expr window = {};   ///< side of an attention window in patches; 0: windowed layers have the relative positions of global ones
  Split layers = {};  ///< `in`: layers with global attention; `out`: layers with windowed attention
};
/// Reads the sizes. The default of mlp_dim is 3,072 or, if `by_ratio`, hidden_size × mlp_ratio. Source: transformers, models/sam.
SamTower sam_fields(Config c, bool by_ratio, const SamNames& names = {}, std::uint64_t side = 1024);
/// Records the tower in the current scope.
void sam_tower(Builder& b, const SamTower& m);
/// Reads the sizes and records the tower. Returns the number of output channels.
Expr sam_vision(Config c, Builder& b, bool by_ratio, std::uint64_t side = 1024);

/// The generation of SAM: SAM, SAM-HQ, or SAM 2 and later.
enum class Sam : std::uint8_t { first, high_quality, second };

/// Records an MLP of at least two layers: `proj_in`, `proj_out` and, if `n_layers` is more than 2, `layers` between them.
void sam_mlp(Builder& b, Text name, Expr in, Expr inner, Expr out, Expr n_layers);
/// Records attention in which all heads together are `inner` wide. Throws if the head dimension is 0 or, for SAM and SAM-HQ, if the heads
/// do not divide `inner`.
void sam_attention(Builder& b, Text name, Expr d, Expr memory, Expr inner, Expr heads, Sam kind);
/// Records the prompt encoder: `mask_embed`, `point_embed` … From SAM 2 on, this includes its positional encoding. In SAM and SAM-HQ the
/// prompt encoder shares the model's positional encoding, which the caller records.
void sam_prompts(Config c, Builder& b, Text name, Sam kind);
/// Records the mask decoder. In its layers, points attend to the image and the image attends to points.
void sam_masks(Config c, Builder& b, Text name, Sam kind);

/// Records the memory of earlier video frames: `memory_attention`, `memory_encoder` and their embeddings. `d` is the output width of the
/// vision tower's neck. `named`: uses EdgeTAM's names and its default of 2 layers. Source: transformers, models/sam2_video, edgetam_video.
void sam_memory(Config c, Builder& b, Expr d, bool named);

}  // namespace param_ledger
