#pragma once

#include "core/blocks/vision.hpp"

namespace param_ledger {

// What the vision towers from Qwen2-VL on share.

inline constexpr Alias qwen_vision_aliases[] = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "depth"}};

/// A tower: layers over patches that span frames; neighbouring patches are merged into one token.
struct QwenVision {
  VisionLayers layers;
  Expr channels = {}, frames = {}, patch = {};
  Expr merged = {};  ///< width of the patches that become one token
};

/// A type's defaults of its width, depth, patch_size and num_heads.
struct QwenVisionDefaults {
  std::uint64_t hidden, layers, patch, heads = 16;
};
/// Reads depth, num_heads, in_channels, patch_size, spatial_merge_size, temporal_patch_size and the width, under its name.
QwenVision qwen_vision_fields(Config c, Text width, const QwenVisionDefaults& defaults);
/// Records `patch_embed.proj` and `blocks.[0-26].norm1` …
void qwen_vision_layers(Builder& b, const QwenVision& m, bool patch_bias, Expr positions = {});

/// The tower of Qwen3-VL, as wide as the text model, and with `deepstack` its mergers of layers between. Source: transformers,
/// models/qwen3_vl, qwen3_5.
Backbone qwen3_vision(Config c, Builder& b, bool deepstack);

}  // namespace param_ledger
