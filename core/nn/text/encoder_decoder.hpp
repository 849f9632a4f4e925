#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// What BART and the encoder-decoders after it share.

/// The attribute_map of most of these types.
inline constexpr Alias bart_aliases[] = {
    {"num_attention_heads", "encoder_attention_heads"}, {"hidden_size", "d_model"}, {"num_hidden_layers", "encoder_layers"}};

/// A type's defaults of encoder_layers, encoder_ffn_dim, encoder_attention_heads, or the decoder's.
struct StackDefaults {
  std::uint64_t layers, inner, heads;
};

/// What the modules of a layer are called.
struct StackNames {
  Text q = "q_proj", k = "k_proj", v = "v_proj", o = "out_proj";
  Text cross = "encoder_attn", cross_norm = "encoder_attn_layer_norm";
  Text up = "fc1", down = "fc2", last_norm = "final_layer_norm";
};

/// The layers of an encoder or of a decoder: attention, feed-forward block, biases everywhere.
struct Stack {
  Expr hidden;
  Expr n_layers;
  Expr inner;
  Expr heads;
  bool cross_attention = false;
  Expr memory = {};          ///< width of what cross-attention reads, where it is not `hidden`
  Expr encoder_length = {};  ///< of that, where it is known
  bool even_share = true;    ///< the width must be a multiple of the heads
  bool attention_bias = true;
  bool key_bias = true;
  bool mlp_bias = true;
  bool feed_forward = true;  ///< else its blocks are recorded apart
  Norm norm = Norm::layer;
  StackNames names = {};
};

/// Reads encoder_layers, encoder_ffn_dim and encoder_attention_heads.
Stack encoder_fields(Config c, Expr hidden, const StackDefaults& defaults);
/// Reads decoder_layers, decoder_ffn_dim and decoder_attention_heads; with cross-attention.
Stack decoder_fields(Config c, Expr hidden, const StackDefaults& defaults);

/// Records `layers.[0-11].self_attn.q_proj` …, self_attn_layer_norm, encoder_attn …, fc1, fc2, final_layer_norm.
void stack_layers(Builder& b, const Stack& s);

/// `embed_tokens`: tied to the table that encoder and decoder share, or another as large.
void stack_table(Builder& b, Tensor shared, bool tied);

/// The encoder of Whisper: two convolutions over the spectrogram, positions, layers without biases on keys, a norm.
/// Source: transformers, models/whisper.
void whisper_encoder(Builder& b, Stack s, Expr mel_bins, Expr positions);

}  // namespace param_ledger
