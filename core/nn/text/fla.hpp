#pragma once

#include <vector>

#include "core/builder/family.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

// What the types of flash-linear-attention share. Source: fla-org/flash-linear-attention, fla/models.

/// The common sizes of these types.
struct Fla {
  Expr d, n_layers, vocab, f;
};

struct FlaDefaults {
  std::uint64_t layers = 24, ratio = 4;
};

/// Reads them. Refuses what no type here counts: attention over residuals, and activations other than swish.
Fla fla_fields(Config c, const FlaDefaults& defaults = {});
/// The checks of fla_fields alone.
void fla_checks(Config c);

/// Base times a factor that may be a fraction. Refuses a product that is not an integer, as the code does.
Expr widened(Config c, Text factor, double fallback, Expr base, Text product, Text symbol);

/// ⌈⌊2 × hidden_ratio × hidden ÷ 3⌋ ÷ 256⌉ × 256; `ratio` is hidden_ratio's default, and 4 stands for null.
Expr fla_inner_width(Config c, Expr hidden, std::uint64_t ratio);

/// The layers that `attn` lists, which have attention with sizes from `attn` instead of the mixer; and the others.
struct Hybrid {
  Split layers;
  Attention attention;
};
/// `fallback`: layers where `attn` is not given; `fallback_heads` 0: num_heads is required.
Hybrid hybrid(Config c, Expr hidden, Expr n_layers, std::vector<std::int64_t> fallback = {}, std::uint64_t fallback_heads = 0);

/// Queries are as wide as the hidden size, even if the heads do not divide it.
void fla_attention(Builder& b, Text name, const Attention& a);

/// Embeddings, pre-norm layers and a final norm.
template <class Mixer>
BackboneOutput fla_decoder(Builder& b, const Fla& m, const Hybrid& h, const Mixer& mixer) {
  const Tensor table = embedding(b, "embeddings", m.vocab, m.d, TensorRole::token_embedding);
  b.repeat("layers", h.layers.out, [&] { b.scope(Part::state_space, "attn", mixer); });
  b.repeat("layers", h.layers.in, [&] { fla_attention(b, "attn", h.attention); });
  b.repeat("layers", all(m.n_layers), [&] {
    rms_norm(b, "attn_norm", m.d);
    rms_norm(b, "mlp_norm", m.d);
    gated_mlp(b, "mlp", m.d, m.f);
  });
  rms_norm(b, "norm", m.d);
  return {.hidden = m.d, .embedding = table};
}

}  // namespace param_ledger
