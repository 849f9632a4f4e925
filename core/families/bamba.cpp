// Bamba: Mamba-2 mixers, attention in the layers that attn_layer_indices lists. Falcon-H1: both in every layer, side by side.
// Source: transformers, models/bamba, falcon_h1.

#include <algorithm>

#include "core/blocks/state_space.hpp"
#include "core/decoders.hpp"
#include "core/families.hpp"
#include "core/layer_kinds.hpp"

namespace param_ledger {

namespace {

/// What the two have in common: sizes, attention and feed-forward blocks around which the rest is recorded.
struct Hybrid {
  LlamaDecoder llama;

  explicit Hybrid(Config c) : llama(llama_fields(c, {4096, 14336, 32, 128000, 32})) {
    Attention& a = llama.attention;
    a.kv_heads = c.integer("num_key_value_heads", 8, a.heads);
    a.head_dim = c.attribute("head_dim", floor_divide(a.hidden, a.heads));
    a.qkv_bias = a.output_bias = c.flag("attention_bias", false);
    llama.mlp_bias = c.flag("mlp_bias", false);
  }

  [[nodiscard]] Backbone record(Builder& b, const Mamba2Mixer& mixer, const IndexSet& mixers, const IndexSet& attentions) const {
    const Expr d = llama.attention.hidden;
    return decoder(
        b, llama.vocabulary, d,
        [&] {
          b.repeat("layers", all(llama.n_layers), [&] { rms_norm(b, "input_layernorm", d); });
          b.repeat("layers", mixers, [&] { mamba2_mixer(b, "mamba", mixer); });
          b.repeat("layers", attentions, [&] { attention(b, "self_attn", llama.attention); });
          b.repeat("layers", all(llama.n_layers), [&] {
            rms_norm(b, "pre_ff_layernorm", d);
            gated_mlp(b, "feed_forward", d, llama.inner, llama.mlp_bias);
          });
        },
        Norm::rms, "final_layernorm");
  }
};

Backbone in_turn(Config c, Builder& b) {
  const Hybrid m(c);
  const Expr d = m.llama.attention.hidden;
  const std::vector<std::int64_t> indices = c.integers("attn_layer_indices").value_or(std::vector<std::int64_t>{});
  const Mamba2Mixer mixer = mamba2_fields(c, d, c.integer("mamba_expand", 2) * d);
  const Split layers = split(c, m.llama.n_layers, "num_attention_layers", "L_a", "Layers with attention.", [&](std::uint64_t i) {
    return std::find(indices.begin(), indices.end(), static_cast<std::int64_t>(i)) != indices.end();
  });
  return m.record(b, mixer, layers.out, layers.in);
}

Backbone side_by_side(Config c, Builder& b) {
  const Hybrid m(c);
  const Expr d = m.llama.attention.hidden;
  const std::optional<Expr> inner = c.optional_integer("mamba_d_ssm", 1024);
  Mamba2Mixer mixer = mamba2_fields(c, d, inner ? *inner : c.integer("mamba_expand", 2) * d);
  mixer.output_bias = c.flag("projectors_bias", false, Null::allowed);
  mixer.norm = c.flag("mamba_rms_norm", false, Null::allowed);
  return m.record(b, mixer, all(m.llama.n_layers), all(m.llama.n_layers));
}

}  // namespace

const Family bamba{"bamba", "Mamba-2 mixers and some attention, each with a feed-forward block.", {"Bamba", heads::decoder}, {}, in_turn};
const Family falcon_h1{
    "falcon_h1", "Attention and a Mamba-2 mixer side by side in each layer.", {"FalconH1", heads::decoder}, {}, side_by_side};

}  // namespace param_ledger
