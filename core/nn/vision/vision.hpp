#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// Blocks shared by vision models and vision-language models: vision transformers, projectors, and the text models that read their output.

/// A square image and its patches.
struct Image {
  Expr channels, side, patch;

  /// The number of patches: ⌊side ÷ patch⌋².
  [[nodiscard]] Expr patches() const { return power(floor_divide(side, patch), 2); }
};
/// Reads num_channels, image_size and patch_size. Throws if a size is a list, because transformers divides image_size by patch_size here.
Image image_fields(Config c, std::uint64_t side, std::uint64_t patch);

/// The layers of a vision transformer. The defaults are CLIP's: pre-norm, a plain feed-forward block, biases.
struct VisionLayers {
  Attention attention = {.qkv_bias = true, .output_bias = true, .o = "out_proj"};
  bool floored = false;  ///< heads need not divide the hidden size; head_dim is rounded down
  Expr inner = {};
  Expr n_layers = {};
  Text layers = "layers", attention_name = "self_attn", mlp_name = "mlp";
  Text norm1 = "layer_norm1", norm2 = "layer_norm2";
  Norm norm = Norm::layer;
  Text up = "fc1", down = "fc2";
  bool gated = false;  ///< a gated feed-forward block: gate_proj, up_proj, down_proj
  bool fused = false;  ///< a gated feed-forward block with fused gate and up projections, whose name is `up`
  bool mlp_bias = true;
  bool feed_forward = true;       ///< false: the caller records the feed-forward blocks separately
  Text scale1 = {}, scale2 = {};  ///< names of the LayerScale after attention and after the feed-forward block; empty: none
  void (*more)(Builder& b, const VisionLayers& m) = nullptr;  ///< records additional tensors of each layer
};

/// Layers with head_dim = ⌊hidden ÷ heads⌋ and Llama's names for the norms and for the projections of attention.
VisionLayers llama_named_layers(bool attention_bias);

/// A model type's defaults for hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, image_size and patch_size.
struct VisionDefaults {
  std::uint64_t hidden, inner, layers, heads, side = 0, patch = 0;
  std::uint64_t width = 0;  ///< width of the default image in pixels, if image_size is a list of height (`side`) and width
};
/// Reads hidden_size, intermediate_size, num_hidden_layers and num_attention_heads into `m`, which already contains the other settings.
VisionLayers vision_fields(Config c, const VisionDefaults& defaults, VisionLayers m = {});
/// Records the layers, e.g. `layers.[0-11].layer_norm1`.
void vision_layers(Builder& b, const VisionLayers& m);

/// Records CLIP's bare vision model: class embedding, patches, positions, and norms before and after the layers. Source: transformers,
/// models/clip.
BackboneOutput clip_vision(Config c, Builder& b, const VisionDefaults& defaults);
/// Records SigLIP's embeddings and layers, without the final norm and the pooling head. Source: transformers, models/siglip.
VisionLayers siglip_encoder(Config c, Builder& b, const VisionDefaults& defaults);
/// Records the pooling head: a learned query that attends to all patches, followed by a feed-forward block.
void attention_pool(Builder& b, Text name, const VisionLayers& m);

/// Records Pixtral's bare vision model: no learned positions, RMSNorm, gated feed-forward, no biases. Source: transformers, models/pixtral.
BackboneOutput pixtral_vision(Config c, Builder& b, std::uint64_t default_patch);

/// Records the vision tower for a config section that transformers loads through AutoConfig. The section's model_type must be one of
/// `types`; the default is the first.
BackboneOutput vision_tower(Config section, Builder& b, Text name, std::initializer_list<Text> types);

/// Like `vision_tower`, for the section `vision_config`. If it is missing or null, records a tower of the family `unnamed`.
BackboneOutput vision_tower_or(Config c, Builder& b, Text name, std::initializer_list<Text> types, const Family& unnamed);

/// Records the text model of a model with a vision tower. The section's model_type determines the family. Throws for model types whose
/// embedding table is not called `embed_tokens`, because transformers looks the table up by this name.
BackboneOutput text_beside_vision(Config section, Builder& b, Text name, Text fallback);

/// The input width of a projector: `width` times the number of layers in vision_feature_layer, which is one layer or a list of layers.
/// Their outputs are concatenated. `fallback` is the default number of layers.
Expr feature_width(Config c, Expr width, std::uint64_t fallback = 1);

/// Records the two layers of a projector: `linear_1`, `linear_2`.
void two_layers(Builder& b, Expr in, Expr inner, Expr out, bool bias);

/// The side of the square of patches that becomes one token: ⌊1 ÷ downsample_ratio⌋, by default 2. Throws for an invalid ratio.
Expr pixel_shuffle_side(Config c);

}  // namespace param_ledger
