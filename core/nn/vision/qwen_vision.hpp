#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// What the vision towers from Qwen2-VL on share.

inline constexpr Alias qwen_vision_aliases[] = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "depth"}};

/// A tower: layers over patches that span frames; neighbouring patches are merged into one token.
struct QwenVision {
  VisionLayers layers;
  Expr channels = {}, frames = {}, patch = {};
  Expr merged = {};  ///< width of the patches that become one token
};

/// A type's defaults of its width, depth, patch_size, num_heads, temporal_patch_size and spatial_merge_size; the last two may be 0: the
/// type has no such field, or no tensor depends on it.
struct QwenVisionDefaults {
  std::uint64_t hidden, layers, patch, heads = 16, frames = 2, merged = 2;
};
/// Reads them and in_channels; the width goes by that name.
QwenVision qwen_vision_fields(Config c, Text width, const QwenVisionDefaults& defaults);
/// Records `patch_embed.proj` and `blocks.[0-26].norm1` …
void qwen_vision_layers(Builder& b, const QwenVision& m, bool patch_bias, Expr positions = {});

/// What makes one token of neighbouring patches: `merger.ln_q`, `merger.mlp.0`, `merger.mlp.2`.
void qwen_merger(Builder& b, const QwenVision& m, Norm kind, Expr out);

/// The tower of Qwen2.5-VL; where `grouped`, num_key_value_heads serve its heads. Source: transformers, models/qwen2_5_vl, exaone4_5.
BackboneOutput qwen2_5_vision(Config c, Builder& b, bool grouped);

/// The tower of Qwen3-VL, as wide as the text model, and with `deepstack` its mergers of layers between. Source: transformers,
/// models/qwen3_vl, qwen3_5.
BackboneOutput qwen3_vision(Config c, Builder& b, bool deepstack);

}  // namespace param_ledger
