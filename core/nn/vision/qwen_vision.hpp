#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Shared by the vision towers since Qwen2-VL.

inline constexpr Alias qwen_vision_aliases[] = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "depth"}};

/// A tower: layers over patches that span several frames; neighbouring patches are merged into one token.
struct QwenVision {
  VisionLayers layers;
  Expr channels = {}, frames = {}, patch = {};
  Expr merged = {};  ///< total width of the patches that are merged into one token
};

/// A type's defaults of its width, depth, patch_size, num_heads, temporal_patch_size and spatial_merge_size. The last two may be 0 if the
/// type lacks the field or no tensor depends on it.
struct QwenVisionDefaults {
  std::uint64_t hidden, layers, patch, heads = 16, frames = 2, merged = 2;
};
/// Reads these fields and in_channels; `width` is the name of the width's field.
QwenVision qwen_vision_fields(Config c, Text width, const QwenVisionDefaults& defaults);
/// Records `patch_embed.proj` and `blocks.[0-26].norm1` …
void qwen_vision_layers(Builder& b, const QwenVision& m, bool patch_bias, Expr positions = {});

/// Merges neighbouring patches into one token: `merger.ln_q`, `merger.mlp.0`, `merger.mlp.2`.
void qwen_merger(Builder& b, const QwenVision& m, Norm kind, Expr out);

/// Qwen2.5-VL's tower; `grouped`: with num_key_value_heads. Source: transformers, models/qwen2_5_vl, exaone4_5.
BackboneOutput qwen2_5_vision(Config c, Builder& b, bool grouped);

/// Qwen3-VL's tower, as wide as the text model; `deepstack`: with mergers on intermediate layers. Source: transformers, models/qwen3_vl,
/// qwen3_5.
BackboneOutput qwen3_vision(Config c, Builder& b, bool deepstack);

}  // namespace param_ledger
