#pragma once

#include <string_view>
#include <vector>

#include "core/nn/text/attention.hpp"

namespace param_ledger {

// Functions shared by Gemma 3n, Gemma 4 and EmbeddingGemma 2. Layers can have an additional input (per-layer embeddings). In Gemma 3n and
// 4, the last layers can reuse the keys and values of earlier layers.

/// Reads num_kv_shared_layers and returns the number of layers with their own keys and values, which come first. Throws if
/// num_kv_shared_layers exceeds the number of layers, unless there are none, or if a kind of layer occurs only among the layers that share,
/// because these reuse the keys and values of an earlier layer of their kind.
Expr layers_with_keys(Config c, Expr n_layers, std::uint64_t shared, const std::vector<std::string_view>& kinds);
/// Like `layers_with_keys`, but the caller has already read num_kv_shared_layers as `n_shared`.
Expr layers_before_shared(Config c, Expr n_layers, Expr n_shared, const std::vector<std::string_view>& kinds);

/// Records the attention tensors that every layer has: `name.q_proj`, q_norm, o_proj.
void attention_queries(Builder& b, Text name, const Attention& a);
/// Records the attention tensors of layers with their own keys and values: `name.k_proj`, k_norm and, if `values`, v_proj.
void attention_keys(Builder& b, Text name, const Attention& a, bool values = true);

/// The sizes of the per-layer inputs. They are computed from the token embedding and, in Gemma 3n and 4, from a separate embedding table.
struct LayerInput {
  Expr hidden;
  Expr n_layers;
  Expr vocabulary;
  Expr width;
};

/// Records the tensors before the layers: embed_tokens_per_layer, per_layer_model_projection, per_layer_projection_norm.
void layer_inputs(Builder& b, const LayerInput& m);
/// Records only per_layer_model_projection and per_layer_projection_norm.
void layer_input_projection(Builder& b, const LayerInput& m);
/// Records the tensors in each layer: per_layer_input_gate, per_layer_projection, post_per_layer_input_norm.
void layer_input(Builder& b, const LayerInput& m);

}  // namespace param_ledger
