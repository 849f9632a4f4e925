#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

// Functions shared by model types of flash-linear-attention. Source: fla-org/flash-linear-attention, fla/models.

/// The hidden size, number of layers, vocabulary size and feed-forward width of a model of flash-linear-attention.
struct Fla {
  Expr d, n_layers, vocab, f;
};

struct FlaDefaults {
  std::uint64_t layers = 24, ratio = 4;
};

/// Reads the sizes of Fla. Throws for options that cannot be counted: attention over residuals, and activations other
/// than swish.
Fla fla_fields(Config c, const FlaDefaults& defaults = {});
/// Performs only the checks of fla_fields, without reading sizes.
void fla_checks(Config c);

/// `base` times a factor that may be a fraction. Throws if the product is not an integer.
Expr widened(Config c, Text factor, double fallback, Expr base, Text product, Text symbol);

/// The inner width ⌈⌊2 × hidden_ratio × hidden ÷ 3⌋ ÷ 256⌉ × 256. `ratio` is the default of hidden_ratio, and null means 4.
Expr fla_inner_width(Config c, Expr hidden, std::uint64_t ratio);

/// The layers with attention instead of the mixer (`layers.in`), which the field `attn` or a default lists, and the others (`layers.out`).
struct Hybrid {
  Split layers;
  Attention attention;
  Expr window = {};  ///< how many tokens a query sees at most; empty: all
};
/// Reads the field `attn`. `fallback`: the layers with attention if `attn` or its list `layers` is missing. `fallback_heads`: the default
/// of num_heads; 0: num_heads is required. `fallback_window`: the window if `attn` is missing; 0: none.
Hybrid hybrid(Config c, Expr d, Expr n_layers, std::vector<std::int64_t> fallback = {}, std::uint64_t fallback_heads = 0,
              std::uint64_t fallback_window = 0);

/// Records attention. Throws unless the heads divide the hidden size and the key-value heads divide the heads.
void fla_attention(Builder& b, Text name, const Attention& a, Expr window = {});

/// Records embeddings, pre-norm layers and a final norm. `mixer` records the mixer of the layers without attention.
template <class Mixer>
BackboneOutput fla_decoder(Builder& b, const Fla& m, const Hybrid& h, const Mixer& mixer) {
  const Tensor table = embedding(b, "embeddings", m.vocab, m.d, TensorRole::token_embedding);
  b.repeat("layers", h.layers.out, [&] { b.scope(Part::state_space, "attn", mixer); });
  b.repeat("layers", h.layers.in, [&] { fla_attention(b, "attn", h.attention, h.window); });
  b.repeat("layers", all(m.n_layers), [&] {
    rms_norm(b, "attn_norm", m.d);
    rms_norm(b, "mlp_norm", m.d);
    gated_mlp(b, "mlp", m.d, m.f);
  });
  rms_norm(b, "norm", m.d);
  return {.hidden = m.d, .embedding = table};
}

}  // namespace param_ledger
