#pragma once

#include "core/nn/layers.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

// A layer of NeMo's FastConformer. Source: transformers, models/parakeet, lasr, nemotron_asr_streaming, granite_speech5.

/// The sizes of a FastConformer layer.
struct FastConformer {
  Expr hidden, inner;
  bool bias = true;  ///< whether the feed-forward blocks have biases
  Norm norm = Norm::layer;
};

/// Records the two feed-forward blocks, `feed_forward1.linear1` …, and the five norms of a layer. `attention` records the tensors in
/// `self_attn`, `convolution` those in `conv`.
template <class Attention, class Convolution>
void fast_conformer_layer(Builder& b, const FastConformer& m, const Attention& attention, const Convolution& convolution) {
  mlp(b, "feed_forward1", m.hidden, m.inner, m.bias, "linear1", "linear2");
  b.scope(Part::attention, "self_attn", attention);
  b.scope(Part::convolution, "conv", convolution);
  mlp(b, "feed_forward2", m.hidden, m.inner, m.bias, "linear1", "linear2");
  for (const Text name : {"norm_feed_forward1", "norm_self_att", "norm_conv", "norm_feed_forward2", "norm_out"})
    norm(b, m.norm, name, m.hidden);
}

}  // namespace param_ledger
