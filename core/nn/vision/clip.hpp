#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Functions shared by CLIP and the many models derived from it: a text and a vision transformer whose outputs are projected into one space.

/// How a model type differs from others with CLIP's structure. The defaults are CLIP's.
struct ClipType {
  VisionDefaults text{512, 2048, 12, 8};
  std::uint64_t positions = 77;
  VisionDefaults vision{768, 3072, 12, 12, 224, 32};
  Text first_norm = "pre_layrnorm";  ///< the norm before the vision transformer's layers; transformers misspells its name in CLIP
  Text layers = "layers";            ///< name of the module with the vision transformer's layers
  bool even = true;                  ///< whether the heads must divide the hidden size
  std::uint64_t shared = 512;        ///< default of projection_dim, the width of the shared space
};

/// The section `section`, or the section `old` if the configuration has one, as old configurations do.
Config section_or_legacy(Config c, Text section, Text old);

/// Records the text transformer: `embeddings.token_embedding`, position_embedding, the layers under `encoder.layers`, final_layer_norm.
BackboneOutput clip_text(Config c, Builder& b, const ClipType& type);
/// Records the vision transformer. Its structure is that of `clip_vision`, but two module names depend on `type`. `more` records additional
/// tensors of each layer.
BackboneOutput clip_tower(Config c, Builder& b, const ClipType& type, void (*more)(Builder& b, const VisionLayers& m) = nullptr);
/// The text or the vision transformer of a fixed model type, with the signature of Family::backbone.
template <const ClipType& type>
BackboneOutput clip_text_of_type(Config c, Builder& b) {
  return clip_text(c, b, type);
}
template <const ClipType& type>
BackboneOutput clip_tower_of_type(Config c, Builder& b) {
  return clip_tower(c, b, type);
}
/// Records `visual_projection`, text_projection and logit_scale. Reads projection_dim and returns it. `seen` and `read` are the widths of
/// the vision and text transformers.
Expr clip_projections(Config c, Builder& b, Expr seen, Expr read, std::uint64_t shared = 512);

/// The widths of the two transformers and of the shared space.
struct ClipWidths {
  Expr text, vision, shared;
};
/// Records the whole model: text_model, vision_model and the projections. Reads text_config and vision_config, or these sections under
/// their names in old files.
ClipWidths clip_model(Config c, Builder& b, const ClipType& type, void (*more)(Builder& b, const VisionLayers& m) = nullptr);

}  // namespace param_ledger
