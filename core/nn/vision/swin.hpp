#pragma once

#include "core/nn/vision/vit.hpp"

namespace param_ledger {

// Swin: stages of layers with windowed attention. Between the stages, neighbouring patches are merged.

inline constexpr Alias swin_aliases[] = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}};

/// How a model type differs from others with Swin's structure. The defaults are Swin's.
struct SwinType {
  bool kept_index = false;         ///< whether relative_position_index is stored as a buffer, and heads must divide the width
  bool position_of_class = false;  ///< whether the position table has an additional row for a class token
  bool second = false;             ///< whether it is Swin 2: cosine attention, position biases from a small MLP, no key biases
  bool last_norm = true;
  bool wrapped = false;  ///< whether the backbone class contains the model as a submodule, next to the norms of all stages
  std::uint64_t width = 96, heads = 3, third = 6, window = 7,
                side = 224;    ///< defaults: width and heads of the first stage, number of layers of the third stage, window and image size
  std::size_t given_from = 0;  ///< if not 0, a backbone outputs all stages from this one on; 0: it outputs those that its configuration
                               ///< selects
};

/// The sizes of a Swin model.
struct Swin {
  SwinType type;
  Expr channels, width;
  Sides image, patch;
  std::vector<Expr> depths, heads;
  std::vector<Expr> inner;  ///< inner width of the feed-forward blocks, per stage
  Expr window;
  bool qkv_bias, positions;
  /// The width of a stage. For an index after the last stage, the width of the last one.
  [[nodiscard]] Expr width_of(std::size_t stage) const;
};

/// Reads num_channels, image_size, patch_size, embed_dim, depths, num_heads, window_size, mlp_ratio, qkv_bias and
/// use_absolute_embeddings.
Swin swin_fields(Config c, const SwinType& type);
/// Records a layer of width `d`: norms, windowed attention, feed-forward block.
void swin_layer(Builder& b, const Swin& m, Expr d, Expr heads, Expr inner);
/// Records the stages in the current scope, e.g. `layers.0.blocks.[0-1].attention.self.query`, and between two stages `downsample`.
void swin_stages(Builder& b, const Swin& m);
/// Records the whole model: `embeddings`, `encoder`, `layernorm` and, for a backbone class except Swin 2's, the norms of its outputs or, if
/// `wrapped`, of all stages.
BackboneOutput swin_model(Config c, Builder& b, const SwinType& type);
/// Records `classifier`, or the decoder that reconstructs masked images.
void swin_head(Config c, Builder& b, const BackboneOutput& m);

template <const SwinType& type>
BackboneOutput swin_of_type(Config c, Builder& b) {
  return swin_model(c, b, type);
}

}  // namespace param_ledger
