#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// The vision transformer with ViT's names, and the many types that are one: a row each, as LlamaType is for decoders.

/// How an image is cut: height and width of it in patches.
[[nodiscard]] Sides grid(Sides image, Sides patch);
/// height × width; a power where it is a square.
[[nodiscard]] Expr area(Sides sides);

/// How far one place may be from another in a window, both ways: (2 × height − 1) × (2 × width − 1), the rows of a table of
/// biases. Refuses a window of height without width, or the other way round.
[[nodiscard]] Expr relative_positions(Sides window);

/// The layers as transformers writes them: `encoder.layer.[0-11].attention.attention.query`, `attention.output.dense`,
/// `intermediate.dense`, `output.dense`, `layernorm_before`, `layernorm_after`.
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

/// The token that stands for a patch that is hidden.
enum class MaskToken : std::uint8_t {
  none,
  one,     ///< [1, 1, hidden]
  flat,    ///< [1, hidden]
  masked,  ///< [1, 1, hidden], in …ForMaskedImageModeling
};

/// A vision transformer. As it stands it is ViT's, without the pooler.
struct Vit {
  VisionLayers layers = vit_layers;
  Expr channels = {};
  Sides image = {}, patch = {};
  Expr frames = {};    ///< that a patch spans; empty: one image
  Expr duration = {};  ///< frames of a video
  bool class_token = true;
  Expr class_tokens = {};  ///< how many, else one
  Text more = {};          ///< tokens after them that have positions, too; empty: none
  Expr more_count = {};    ///< else one
  Expr registers = {};     ///< tokens without positions
  MaskToken mask = MaskToken::none;
  bool positions = true;
  Text last_norm = "layernorm";  ///< empty: none
  bool pooler = false;           ///< `pooler.dense` in the bare model, pooler_output_size wide
  Text layers_in = {};           ///< what all but the layers stand in, in classes with a head: transformers names ViT-MSN's so

  [[nodiscard]] Expr patches() const;
  /// The positions that are learned: patches and tokens before them.
  [[nodiscard]] Expr positions_count(Pool& pool) const;
};

/// A row: what a type says of its own.
struct VitType {
  VisionDefaults sizes;  ///< hidden_size, intermediate_size (0: mlp_ratio instead, 4), layers, heads, image_size, patch_size
  Vit layout = {};
  void (*switches)(Config c, Vit& m) = nullptr;  ///< reads what else its configuration says
  bool own_head_dim = true;                      ///< head_dim counts where it is given; else heads must share the hidden size out
};

/// Reads the sizes, num_channels, image_size, patch_size and, for types with such a switch, qkv_bias; then the switches.
Vit vit_fields(Config c, const VitType& type);
/// `embeddings.cls_token`, mask_token, …, patch_embeddings.projection, position_embeddings.
void vit_embeddings(Builder& b, const Vit& m);
/// Records embeddings, layers, the last norm and the pooler.
BackboneOutput vit_model(Config c, Builder& b, const Vit& m);

/// What a transformer gives as a backbone: its embeddings and each of its layers are a stage, all of one width. No stages for other
/// classes, and beyond 1,000.
BackboneOutput layers_as_stages(Builder& b, Expr hidden, Expr n_layers);

/// The backbone of a row, as a Family wants it.
template <const VitType& type>
BackboneOutput vit_of_type(Config c, Builder& b) {
  return vit_model(c, b, vit_fields(c, type));
}

/// Reads qkv_bias.
void qkv_bias(Config c, Vit& m);

}  // namespace param_ledger
