#pragma once

#include "core/nn/vision/vit.hpp"

namespace param_ledger {

// Swin: layers that attend within windows of patches, in stages between which neighbouring patches are merged.

inline constexpr Alias swin_aliases[] = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}};

/// What a type says of its own; as it stands it is Swin's.
struct SwinType {
  bool kept_index = false;         ///< which bias belongs to which pair is a buffer; and heads must share the width out
  bool position_of_class = false;  ///< positions have one row too many
  bool second = false;             ///< Swin 2: cosine attention, biases of positions from a small network, no biases on keys
  bool last_norm = true;
  bool wrapped = false;  ///< as a backbone: the model is a module, beside the norms of all stages
  std::uint64_t width = 96, heads = 3, third = 6, window = 7,
                side = 224;    ///< defaults: width and heads of the first stage, layers of the third, …
  std::size_t given_from = 0;  ///< a backbone gives all stages from this one on where it is not said; 0: the last
};

/// What a configuration says.
struct Swin {
  SwinType type;
  Expr channels, width;
  Sides image, patch;
  std::vector<Expr> depths, heads;
  std::vector<Expr> inner;  ///< of the feed-forward blocks, by stage
  Expr window;
  bool qkv_bias, positions;
  /// Width of a stage; of those after the last one, that of the last.
  [[nodiscard]] Expr width_of(std::size_t stage) const;
};

/// Reads num_channels, image_size, patch_size, embed_dim, depths, num_heads, window_size, mlp_ratio, qkv_bias and
/// use_absolute_embeddings.
Swin swin_fields(Config c, const SwinType& type);
/// One layer at that width: norms, attention within windows, the feed-forward block.
void swin_layer(Builder& b, const Swin& m, Expr d, Expr heads, Expr inner);
/// `layers.[0].blocks.[0-1].attention.self.query` …, `layers.[0].downsample`: the stages, in a scope that the type names.
void swin_stages(Builder& b, const Swin& m);
/// All of it, as a Family wants it: `embeddings`, `encoder`, `layernorm`, and for a backbone the norms of what it gives.
BackboneOutput swin_model(Config c, Builder& b, const SwinType& type);
/// `classifier`, or what paints masked images.
void swin_head(Config c, Builder& b, const BackboneOutput& m);

template <const SwinType& type>
BackboneOutput swin_of_type(Config c, Builder& b) {
  return swin_model(c, b, type);
}

}  // namespace param_ledger
