#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Blocks shared by the vision towers of Qwen2-VL and later models.

inline constexpr Alias qwen_vision_aliases[] = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "depth"}};

/// The sizes of a vision tower. Its patches can span several frames, and it merges neighbouring patches into one token.
struct QwenVision {
  VisionLayers layers;
  Expr channels = {}, frames = {}, patch = {};
  Expr merged = {};  ///< total width of the patches that are merged into one token
};

/// A model type's defaults for its width, depth, patch_size, num_heads, temporal_patch_size and spatial_merge_size. The last two may be 0
/// if the type lacks the field or no tensor depends on it.
struct QwenVisionDefaults {
  std::uint64_t hidden, layers, patch, heads = 16, frames = 2, merged = 2;
};
/// Reads in_channels and the fields for which QwenVisionDefaults has defaults. `width` is the name of the field with the width.
QwenVision qwen_vision_fields(Config c, Text width, const QwenVisionDefaults& defaults);
/// Records the patch embedding `patch_embed.proj` and the layers, e.g. `blocks.[0-26].norm1`. If `positions` is set, also records a table
/// `pos_embed` with that many rows.
void qwen_vision_layers(Builder& b, const QwenVision& m, bool patch_bias, Expr positions = {});

/// Records the layers that merge neighbouring patches into one token: `merger.ln_q`, `merger.mlp.0`, `merger.mlp.2`.
void qwen_merger(Builder& b, const QwenVision& m, Norm kind, Expr out);

/// Records Qwen2.5-VL's vision tower. `grouped`: it has grouped-query attention (num_key_value_heads). Source: transformers,
/// models/qwen2_5_vl, exaone4_5.
BackboneOutput qwen2_5_vision(Config c, Builder& b, bool grouped);

/// Records Qwen3-VL's vision tower. A merger maps its output to the width out_hidden_size. `deepstack`: whether the outputs of some
/// intermediate layers also have mergers. Source: transformers, models/qwen3_vl, qwen3_5.
BackboneOutput qwen3_vision(Config c, Builder& b, bool deepstack);

}  // namespace param_ledger
