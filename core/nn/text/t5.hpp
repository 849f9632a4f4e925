#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/config/config.hpp"
#include "core/nn/layers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

// What T5 and the encoder-decoders after it share.

/// The attribute_map of these types.
inline constexpr Alias t5_aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}, {"head_dim", "d_kv"}};
/// That of those whose configuration does not know head_dim.
inline constexpr std::span<const Alias> t5_aliases_without_head{t5_aliases, 3};

/// An encoder or, with attention to the encoder's output, a decoder: layers without biases, each block after a norm.
struct T5Stack {
  Expr hidden, inner, heads, head_dim, buckets, n_layers;
  bool gated = false;
  bool cross_attention = false;
  bool bias_in_each = false;         ///< each layer has a table of relative positions, not the first alone
  Text attention = "SelfAttention";  ///< what the module is called
};

/// `name.layer.0`, `layer.1`: records what `body` does, and the norm before it.
template <class Body>
void t5_sublayer(Builder& b, const T5Stack& s, Count index, Body&& body) {
  b.scope(concat({"layer.", digits(index)}), [&] {
    body();
    rms_norm(b, "layer_norm", s.hidden);
  });
}

/// The attention of all layers: `block.[0-5].layer.0.SelfAttention.q` …, with cross-attention `layer.1.EncDecAttention`, and the tables
/// of relative positions, of which it returns the first.
Tensor t5_attention(Builder& b, const T5Stack& s);
/// The feed-forward blocks behind it: `block.[0-5].layer.1.DenseReluDense.wi` …
void t5_feed_forward(Builder& b, const T5Stack& s);
/// Both, and `final_layer_norm`. Returns the same.
Tensor t5_stack(Builder& b, const T5Stack& s);

/// Whether feed_forward_proj ("relu", "gated-gelu") says that the block is gated, unless is_gated_act says otherwise. Refuses what is
/// neither, unless `any`.
bool t5_gated(Config c, Text fallback, bool any = false);

}  // namespace param_ledger
