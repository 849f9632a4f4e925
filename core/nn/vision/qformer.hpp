#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Shared by the BLIP models: a vision transformer with a fused query, key and value projection, and the Q-Former, which extracts
// information for the text model by cross-attention from learned queries to the vision transformer.

/// A type's defaults for the vision transformer, and whether qkv_bias is a field.
struct BlipVision {
  VisionDefaults sizes;
  bool bias_switch = true;
};
/// Records `embeddings.class_embedding`, position_embedding, patch_embedding, `encoder.layers.[0-38].self_attn.qkv` …, post_layernorm.
/// Source: transformers, models/blip, blip_2.
BackboneOutput blip_vision(Config c, Builder& b, const BlipVision& type);

/// The sizes of a Q-Former.
struct QFormer {
  Expr hidden, inner, n_layers, heads;
  Expr memory;             ///< width of cross-attention's input
  Expr vocab, positions;   ///< vocabulary size and positions of the text next to the queries
  IndexSet crossing = {};  ///< layers with cross-attention
  bool text;               ///< whether layers have a second feed-forward block for text
};
/// Reads hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, cross_attention_frequency, vocab_size and
/// max_position_embeddings. `memory` replaces encoder_hidden_size if given.
QFormer qformer_fields(Config c, Expr memory, bool text);
/// Records `encoder.layer.[0-11].attention.attention.query` …, crossattention, intermediate_query, output_query.
void qformer_layers(Builder& b, const QFormer& m);

}  // namespace param_ledger
