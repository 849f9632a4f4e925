#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// What models that see images share: vision transformers, and the models that read text beside them.

/// A square image and how it is cut into patches.
struct Image {
  Expr channels, side, patch;

  /// Patches of an image: ⌊side ÷ patch⌋².
  [[nodiscard]] Expr patches() const { return power(floor_divide(side, patch), 2); }
};
/// Reads num_channels, image_size and patch_size; lists of two are refused, as transformers divides one by the other.
Image image_fields(Config c, std::uint64_t side, std::uint64_t patch);

/// The layers of a vision transformer. As it stands it is CLIP's: norms before both blocks, two matrices, biases.
struct VisionLayers {
  Attention attention = {.qkv_bias = true, .output_bias = true, .o = "out_proj"};
  bool floored = false;  ///< the heads need not share the hidden size out: what is left over is left out
  Expr inner = {};
  Expr n_layers = {};
  Text layers = "layers", attention_name = "self_attn", mlp_name = "mlp";
  Text norm1 = "layer_norm1", norm2 = "layer_norm2";
  Norm norm = Norm::layer;
  Text up = "fc1", down = "fc2";
  bool gated = false;  ///< gate_proj, up_proj, down_proj instead
  bool fused = false;  ///< gate and up in one, under the name `up`
  bool mlp_bias = true;
  bool feed_forward = true;                                   ///< else its blocks are recorded apart
  Text scale1 = {}, scale2 = {};                              ///< scales of what attention and the feed-forward block add; empty: none
  void (*more)(Builder& b, const VisionLayers& m) = nullptr;  ///< records what each layer has beside
};

/// Layers whose heads have each the floor of their share of the hidden size, norms and projection named as Llama's.
VisionLayers llama_named_layers(bool attention_bias);

/// A type's defaults of hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, image_size and patch_size.
struct VisionDefaults {
  std::uint64_t hidden, inner, layers, heads, side = 0, patch = 0;
  std::uint64_t width = 0;  ///< of the image, where image_size is a list of height (`side`) and width
};
/// Reads the first four of them into `m`, which says the rest.
VisionLayers vision_fields(Config c, const VisionDefaults& defaults, VisionLayers m = {});
/// Records `layers.[0-11].layer_norm1` …
void vision_layers(Builder& b, const VisionLayers& m);

/// The bare vision model of CLIP: class embedding, patches, positions, a norm on either side of the layers.
/// Source: transformers, models/clip.
BackboneOutput clip_vision(Config c, Builder& b, const VisionDefaults& defaults);
/// Embeddings and layers of SigLIP's, without the last norm and the pooling head. Source: transformers, models/siglip.
VisionLayers siglip_encoder(Config c, Builder& b, const VisionDefaults& defaults);
/// The pooling head: one learned query that attends to all patches, and a feed-forward block.
void attention_pool(Builder& b, Text name, const VisionLayers& m);

/// The bare vision model of Pixtral: no positions of its own, RMS norms, gated, no biases. Source: transformers, models/pixtral.
BackboneOutput pixtral_vision(Config c, Builder& b, std::uint64_t default_patch);

/// Records the tower that a section describes where transformers asks AutoConfig: one of these types, the first where it
/// says none. Refuses others.
BackboneOutput vision_tower(Config section, Builder& b, Text name, std::initializer_list<Text> types);

/// The same for the section `vision_config`, which is a tower of `unnamed` where it is not given.
BackboneOutput vision_tower_or(Config c, Builder& b, Text name, std::initializer_list<Text> types, const Family& unnamed);

/// Records the text model beside a tower, of the type that its section names. Refuses types that don't call their table of
/// embeddings `embed_tokens`: transformers looks for it there.
BackboneOutput text_beside_vision(Config section, Builder& b, Text name, Text fallback);

/// vision_feature_layer: the layer, or the list of layers, whose output is projected: how many there are (`fallback` where it is not
/// said), `width` each.
Expr feature_width(Config c, Expr width, std::uint64_t fallback = 1);

/// `linear_1`, `linear_2`: the layers of a projector.
void two_layers(Builder& b, Expr in, Expr inner, Expr out, bool bias);

/// How many patches along a side become one token: ⌊1 ÷ downsample_ratio⌋, 2 where it is not said. Refuses ratios that are none.
Expr shuffled_side(Config c);

}  // namespace param_ledger
