#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Shared by CLIP and its many descendants: two transformers with outputs projected into one space.

/// What distinguishes a type; the defaults are CLIP's.
struct ClipType {
  VisionDefaults text{512, 2048, 12, 8};
  std::uint64_t positions = 77;
  VisionDefaults vision{768, 3072, 12, 12, 224, 32};
  Text first_norm = "pre_layrnorm";  ///< of the vision transformer; transformers misspells it
  Text layers = "layers";            ///< of the vision transformer
  bool even = true;                  ///< heads must divide the hidden size
  std::uint64_t shared = 512;        ///< default of projection_dim
};

/// A section. If an old file also has a section called `old`, that one is used.
Config section_or_legacy(Config c, Text section, Text old);

/// The text transformer: `embeddings.token_embedding`, position_embedding, `encoder.layers.[0-11]` …, final_layer_norm.
BackboneOutput clip_text(Config c, Builder& b, const ClipType& type);
/// The vision transformer, as clip_vision; `more` records further tensors of each layer.
BackboneOutput clip_tower(Config c, Builder& b, const ClipType& type, void (*more)(Builder& b, const VisionLayers& m) = nullptr);
/// The text or vision transformer of a type, with the signature of Family::backbone.
template <const ClipType& type>
BackboneOutput clip_text_of_type(Config c, Builder& b) {
  return clip_text(c, b, type);
}
template <const ClipType& type>
BackboneOutput clip_tower_of_type(Config c, Builder& b) {
  return clip_tower(c, b, type);
}
/// `visual_projection`, text_projection, logit_scale. Reads and returns projection_dim.
Expr clip_projections(Config c, Builder& b, Expr seen, Expr read, std::uint64_t shared = 512);

/// The widths of the two transformers and of the shared space.
struct ClipWidths {
  Expr text, vision, shared;
};
/// The whole model: text_model, vision_model, projections. Reads text_config and vision_config, or their names in old files.
ClipWidths clip_model(Config c, Builder& b, const ClipType& type, void (*more)(Builder& b, const VisionLayers& m) = nullptr);

}  // namespace param_ledger
