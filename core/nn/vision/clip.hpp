#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// What CLIP and the many after it share: two transformers, whose outputs are projected into one space.

/// What a type says of its own; as it stands it is CLIP's.
struct ClipType {
  VisionDefaults text{512, 2048, 12, 8};
  std::uint64_t positions = 77;
  VisionDefaults vision{768, 3072, 12, 12, 224, 32};
  Text first_norm = "pre_layrnorm";  ///< of the vision transformer; as transformers misspells it
  Text layers = "layers";            ///< of the vision transformer
  bool even = true;                  ///< heads must share the hidden size out
  std::uint64_t shared = 512;        ///< default of projection_dim
};

/// A section, or what old files hold beside it under `old`, which counts then.
Config section_or_old(Config c, Text section, Text old);

/// The text transformer: `embeddings.token_embedding`, position_embedding, `encoder.layers.[0-11]` …, final_layer_norm.
BackboneOutput clip_text(Config c, Builder& b, const ClipType& type);
/// The vision transformer, as clip_vision has it; `more`: what each layer has beside.
BackboneOutput clip_tower(Config c, Builder& b, const ClipType& type, void (*more)(Builder& b, const VisionLayers& m) = nullptr);
/// Either of a type, as a Family wants it.
template <const ClipType& type>
BackboneOutput clip_text_of_type(Config c, Builder& b) {
  return clip_text(c, b, type);
}
template <const ClipType& type>
BackboneOutput clip_tower_of_type(Config c, Builder& b) {
  return clip_tower(c, b, type);
}
/// `visual_projection`, text_projection, logit_scale. Reads projection_dim and returns it.
Expr clip_projections(Config c, Builder& b, Expr seen, Expr read, std::uint64_t shared = 512);

/// What a model of two such transformers consists of.
struct ClipWidths {
  Expr text, vision, shared;
};
/// All of it: text_model, vision_model, the projections. Reads text_config and vision_config, or what stands for them in old files.
ClipWidths clip_model(Config c, Builder& b, const ClipType& type, void (*more)(Builder& b, const VisionLayers& m) = nullptr);

}  // namespace param_ledger
