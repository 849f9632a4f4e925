#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// What the BLIPs share: a vision transformer with one projection for queries, keys and values, and the Q-Former, whose learned
// queries ask the vision transformer what the text model is to know.

/// A type's defaults of the vision transformer, and whether qkv_bias is a field.
struct BlipVision {
  VisionDefaults sizes;
  bool bias_switch = true;
};
/// `embeddings.class_embedding`, position_embedding, patch_embedding, `encoder.layers.[0-38].self_attn.qkv` …, post_layernorm.
/// Source: transformers, models/blip, blip_2.
BackboneOutput blip_vision(Config c, Builder& b, const BlipVision& type);

/// What a configuration says of a Q-Former.
struct QFormer {
  Expr hidden, inner, n_layers, heads;
  Expr memory;             ///< width of what is asked
  Expr vocab, positions;   ///< of the text that stands beside the queries
  IndexSet crossing = {};  ///< layers that ask
  bool text;               ///< layers have a feed-forward block for text, too
};
/// Reads hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, cross_attention_frequency, vocab_size and
/// max_position_embeddings; `memory`, else encoder_hidden_size.
QFormer qformer_fields(Config c, Expr memory, bool text);
/// `encoder.layer.[0-11].attention.attention.query` …, crossattention, intermediate_query, output_query.
void qformer_layers(Builder& b, const QFormer& m);

}  // namespace param_ledger
