#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Vision transformers with ViT's tensor names. Many model types differ from ViT only in a VitType.

/// The height and width of an image in patches.
[[nodiscard]] Sides grid(Sides image, Sides patch);
/// height × width, written as a power if both are the same expression.
[[nodiscard]] Expr area(Sides sides);

/// The number of relative positions in a window, (2 × height − 1) × (2 × width − 1): the rows of a bias table. Throws if exactly one side
/// of the window is 0.
[[nodiscard]] Expr relative_positions(Sides window);

/// Layers with the tensor names in ViT's checkpoints: in `encoder.layer.0`, for example, `attention.attention.query`,
/// `attention.output.dense`, `intermediate.dense`, `output.dense`, `layernorm_before`, `layernorm_after`.
constexpr VisionLayers vit_layers{.attention = {.even_share = false,
                                                .qkv_bias = true,
                                                .output_bias = true,
                                                .q = "attention.query",
                                                .k = "attention.key",
                                                .v = "attention.value",
                                                .o = "output.dense"},
                                  .layers = "encoder.layer",
                                  .attention_name = "attention",
                                  .mlp_name = "",
                                  .norm1 = "layernorm_before",
                                  .norm2 = "layernorm_after",
                                  .up = "intermediate.dense",
                                  .down = "output.dense"};

/// The shape of the mask token, which replaces masked patches.
enum class MaskToken : std::uint8_t {
  none,
  one,     ///< a parameter of shape [1, 1, hidden]
  flat,    ///< a parameter of shape [1, hidden]
  masked,  ///< a parameter of shape [1, 1, hidden], which only …ForMaskedImageModeling has
};

/// A vision transformer. The defaults are ViT's, without the pooler.
struct Vit {
  VisionLayers layers = vit_layers;
  Expr channels = {};
  Sides image = {}, patch = {};
  Expr frames = {};    ///< number of frames per patch; empty: the input is an image
  Expr duration = {};  ///< number of frames in a video; empty: the input is an image
  bool class_token = true;
  Expr class_tokens = {};  ///< number of class tokens; empty: one
  Text more = {};          ///< the name of additional tokens with positions, such as DeiT's distillation_token; empty: none
  Expr more_count = {};    ///< the number of these additional tokens; empty: one
  Expr registers = {};     ///< number of register tokens, which have no positions
  MaskToken mask = MaskToken::none;
  bool positions = true;
  bool sinusoids = false;        ///< whether the positions are fixed sinusoids
  Text last_norm = "layernorm";  ///< name of the norm after the last layer; empty: none
  bool pooler = false;           ///< whether the bare model has `pooler.dense`, with the width pooler_output_size
  Text layers_in = {};           ///< in classes with a head, the name of the module that contains everything except the layers, as in
                                 ///< ViT-MSN

  [[nodiscard]] Expr patches() const;
  /// The number of positions: one for each patch, class token and additional token, but none for register tokens.
  [[nodiscard]] Expr positions_count(Pool& pool) const;
};

/// How a model type differs from others with ViT's structure.
struct VitType {
  VisionDefaults sizes;  ///< defaults; if `inner` is 0, the type has mlp_ratio (default 4) instead of intermediate_size
  Vit layout = {};
  void (*switches)(Config c, Vit& m) = nullptr;  ///< reads the type's other fields
  bool own_head_dim = true;                      ///< whether head_dim is a field; otherwise heads must divide the hidden size
};

/// Reads the sizes, num_channels, image_size, patch_size and, if the type has it, head_dim; then calls `switches`.
Vit vit_fields(Config c, const VitType& type);
/// Records the embeddings: `embeddings.patch_embeddings.projection` and, if the model has them, cls_token, mask_token, other tokens,
/// position_embeddings.
void vit_embeddings(Builder& b, const Vit& m);
/// Records embeddings, layers and, if the model has them, the final norm and the pooler.
BackboneOutput vit_model(Config c, Builder& b, const Vit& m);

/// The output of a transformer. For a backbone class, the stages are the embeddings and each of the layers, all with the same width. Other
/// classes, and models with 1,000 or more layers, have no stages.
BackboneOutput layers_as_stages(Builder& b, Expr hidden, Expr n_layers);

/// `vit_model` for a fixed model type, with the signature of Family::backbone.
template <const VitType& type>
BackboneOutput vit_of_type(Config c, Builder& b) {
  return vit_model(c, b, vit_fields(c, type));
}

/// Reads qkv_bias. Can be used as VitType::switches.
void qkv_bias(Config c, Vit& m);

}  // namespace param_ledger
