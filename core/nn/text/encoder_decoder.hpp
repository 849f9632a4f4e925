#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// Blocks of BART and Whisper that many later models use: other encoder-decoders, but also OPT and detectors such as DETR.

/// transformers' attribute_map of most BART-like model types.
inline constexpr Alias bart_aliases[] = {
    {"num_attention_heads", "encoder_attention_heads"}, {"hidden_size", "d_model"}, {"num_hidden_layers", "encoder_layers"}};

/// A model type's defaults for encoder_layers, encoder_ffn_dim and encoder_attention_heads, or for the corresponding fields of the decoder.
struct StackDefaults {
  std::uint64_t layers, inner, heads;
};

/// Names of modules in a layer of a Stack that differ between model types.
struct StackNames {
  Text q = "q_proj", k = "k_proj", v = "v_proj", o = "out_proj";
  Text cross = "encoder_attn", cross_norm = "encoder_attn_layer_norm";
  Text up = "fc1", down = "fc2", last_norm = "final_layer_norm";
};

/// The layers of an encoder or a decoder: attention and a feed-forward block, with biases everywhere by default.
struct Stack {
  Expr hidden;
  Expr n_layers;
  Expr inner;
  Expr heads;
  bool cross_attention = false;
  Expr memory = {};          ///< width of the hidden states that cross-attention reads, if it differs from `hidden`
  Expr encoder_length = {};  ///< number of tokens that cross-attention reads, if known
  bool even_share = true;    ///< whether the heads must divide the hidden size
  bool attention_bias = true;
  bool key_bias = true;
  bool mlp_bias = true;
  bool feed_forward = true;  ///< false: the caller records the feed-forward blocks separately
  Norm norm = Norm::layer;
  StackNames names = {};
};

/// Reads encoder_layers, encoder_ffn_dim and encoder_attention_heads.
Stack encoder_fields(Config c, Expr hidden, const StackDefaults& defaults);
/// Reads decoder_layers, decoder_ffn_dim and decoder_attention_heads. The layers get cross-attention.
Stack decoder_fields(Config c, Expr hidden, const StackDefaults& defaults);

/// Records the layers: attention (e.g. `layers.[0-11].self_attn.q_proj`), cross-attention and a feed-forward block if `s` asks for them,
/// and the norms. The norm of the feed-forward block is recorded in any case.
void stack_layers(Builder& b, const Stack& s);

/// Records `embed_tokens`, which is either tied to the table that encoder and decoder share, or a separate table of the same shape.
void stack_table(Builder& b, Tensor shared, bool tied);

/// Records Whisper's encoder: two convolutions over the spectrogram, sinusoidal positions, layers without key biases, and a norm. Source:
/// transformers, models/whisper.
void whisper_encoder(Builder& b, Stack s, Expr mel_bins, Expr positions);

}  // namespace param_ledger
