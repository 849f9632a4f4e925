#pragma once

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

// Blocks of the BLIP models: a vision transformer with a fused query, key and value projection, and the Q-Former. In the Q-Former, learned
// queries attend to the output of the vision transformer. Granite 4 Vision also uses the Q-Former.

/// A model type's defaults for the vision transformer, and whether qkv_bias is a field.
struct BlipVision {
  VisionDefaults sizes;
  bool bias_switch = true;
};
/// Records the vision transformer: `embeddings.class_embedding`, position_embedding, patch_embedding, the layers under `encoder.layers`,
/// post_layernorm. Source: transformers, models/blip, blip_2.
BackboneOutput blip_vision(Config c, Builder& b, const BlipVision& type);

/// The sizes of a Q-Former.
struct QFormer {
  Expr hidden, inner, n_layers, heads;
  Expr memory;             ///< width of the hidden states that cross-attention reads
  Expr vocab, positions;   ///< vocabulary size and number of positions of the text that is processed along with the queries
  IndexSet crossing = {};  ///< the layers that have cross-attention
  bool text;               ///< whether layers have a second feed-forward block for text tokens
};
/// Reads hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, cross_attention_frequency, vocab_size and
/// max_position_embeddings. `memory` replaces encoder_hidden_size if given.
QFormer qformer_fields(Config c, Expr memory, bool text);
/// Reads the fields of a Q-Former whose hidden size and `memory` are both `width`, with one head for every 64 dimensions. `layers` and
/// `every` are the defaults of num_hidden_layers and cross_attention_frequency.
QFormer qformer_as_wide_as_vision(Config c, Expr width, std::uint64_t layers, std::uint64_t every);
/// Records the layers, e.g. `encoder.layer.[0-11].attention.attention.query`: attention, crossattention in the layers `crossing`, a
/// feed-forward block for text tokens (`intermediate`, `output`) if `text`, and one for the queries (`intermediate_query`, `output_query`).
void qformer_layers(Builder& b, const QFormer& m);

}  // namespace param_ledger
