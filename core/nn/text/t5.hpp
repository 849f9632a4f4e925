#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

// Blocks shared by T5, its variants, Switch Transformers and UDOP.

/// transformers' attribute_map of T5 and similar model types.
inline constexpr Alias t5_aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}, {"head_dim", "d_kv"}};
/// transformers' attribute_map of similar model types that have no head_dim.
inline constexpr std::span<const Alias> t5_aliases_without_head{t5_aliases, 3};

/// An encoder or, with cross-attention, a decoder. Its layers are pre-norm, and their linear layers have no biases.
struct T5Stack {
  Expr hidden, inner, heads, head_dim, buckets, n_layers;
  bool gated = false;
  bool cross_attention = false;
  bool bias_in_each = false;         ///< whether every layer, not only the first, has a table of relative position biases
  Text attention = "SelfAttention";  ///< the name of the attention module
};

/// Records the tensors of `body` and the norm before it in `layer.<index>`, one of the sublayers of a block: attention, cross-attention if
/// there is one, and feed-forward.
template <class Body>
void t5_sublayer(Builder& b, const T5Stack& s, Count index, Body&& body) {
  const bool crosses = index == 1 && s.cross_attention;
  const TensorRole role = index == 0 ? TensorRole::norm_before_attention
                          : crosses  ? TensorRole::norm_before_cross_attention
                                     : TensorRole::norm_before_feed_forward;
  b.scope(concat({"layer.", digits(index)}), [&] {
    body();
    norm(b, Norm::rms, "layer_norm", s.hidden, role);
  });
}

/// Records the attention of all layers, e.g. `block.[0-5].layer.0.SelfAttention.q`, their cross-attention if there is one
/// (`layer.1.EncDecAttention.q` …), and the tables of relative position biases. Returns these tables; empty if there are no layers.
Tensor t5_attention(Builder& b, const T5Stack& s);
/// Records the feed-forward blocks, e.g. `block.[0-5].layer.1.DenseReluDense.wi`, or in `layer.2` with cross-attention.
void t5_feed_forward(Builder& b, const T5Stack& s);
/// Records attention, feed-forward blocks and `final_layer_norm`. Returns the tables of relative position biases; empty if there are no
/// layers.
Tensor t5_stack(Builder& b, const T5Stack& s);

/// Whether the feed-forward block is gated, read from is_gated_act or from feed_forward_proj: an activation, optionally after "gated-".
/// Unless `any` is set, throws for other forms and for activations with parameters.
bool t5_gated(Config c, Text fallback, bool any = false);

}  // namespace param_ledger
