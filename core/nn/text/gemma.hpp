#pragma once

#include <string_view>
#include <vector>

#include "core/nn/text/attention.hpp"

namespace param_ledger {

// What Gemma 3n and 4 share: last layers that take over keys and values of earlier ones, and an input that each layer
// receives of its own.

/// Reads num_kv_shared_layers. The layers with keys and values of their own are the others: the first so many. Refuses a kind
/// of layer that occurs among the last only: they take over what the last earlier layer of their kind has.
Expr layers_with_keys(Config c, Expr n_layers, std::uint64_t shared, const std::vector<std::string_view>& kinds);

/// What all layers have: `name.q_proj`, q_norm, o_proj.
void attention_queries(Builder& b, Text name, const Attention& a);
/// What those have that don't take over: `name.k_proj`, k_norm and, unless keys are values, too, v_proj.
void attention_keys(Builder& b, Text name, const Attention& a, bool values = true);

/// The input of each layer: from a table of its own, and from the embedding.
struct LayerInput {
  Expr hidden;
  Expr n_layers;
  Expr vocabulary;
  Expr width;
};

/// Before the layers: embed_tokens_per_layer, per_layer_model_projection, per_layer_projection_norm.
void layer_inputs(Builder& b, const LayerInput& m);
/// The second and the third of them.
void layer_input_projection(Builder& b, const LayerInput& m);
/// In a layer: per_layer_input_gate, per_layer_projection, post_per_layer_input_norm.
void layer_input(Builder& b, const LayerInput& m);

}  // namespace param_ledger
