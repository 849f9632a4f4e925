// Bamba: Mamba-2 mixers in all layers, except those in attn_layer_indices, which have attention. Falcon-H1: each layer has both in
// parallel. Source: transformers, models/bamba, falcon_h1.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{
    .sizes = {4096, 14336, 32, 128000, 32}, .kv_heads = fixed_not_null(8), .head_dim = attribute, .switches = both_biases};

/// Records a decoder with Mamba-2 mixers in the layers `mixers`, attention in the layers `attentions`, and a feed-forward block in every
/// layer.
BackboneOutput record(Builder& b, const LlamaDecoder& m, const Mamba2Mixer& mixer, const IndexSet& mixers, const IndexSet& attentions) {
  const Expr d = m.attention.hidden;
  return decoder(
      b, m.vocabulary, d,
      [&] {
        b.repeat("layers", all(m.n_layers), [&] { rms_norm(b, "input_layernorm", d); });
        b.repeat("layers", mixers, [&] { mamba2_mixer(b, "mamba", mixer); });
        b.repeat("layers", attentions, [&] { attention(b, "self_attn", m.attention); });
        b.repeat("layers", all(m.n_layers), [&] {
          rms_norm(b, "pre_ff_layernorm", d);
          gated_mlp(b, "feed_forward", d, m.inner, m.mlp_bias);
        });
      },
      Norm::rms, "final_layernorm");
}

BackboneOutput in_turn(Config c, Builder& b) {
  const LlamaDecoder m = llama_type_fields(c, type);
  const Expr d = m.attention.hidden;
  const LayerList attentions(c.integers("attn_layer_indices").value_or(std::vector<std::int64_t>{}));
  const Mamba2Mixer mixer = mamba2_fields(c, d, c.integer("mamba_expand", 2) * d);
  const Split layers =
      split(c, m.n_layers, "num_attention_layers", "L_a", "Layers with attention.", [&](std::size_t i) { return attentions.has(i); });
  return record(b, m, mixer, layers.out, layers.in);
}

BackboneOutput side_by_side(Config c, Builder& b) {
  const LlamaDecoder m = llama_type_fields(c, type);
  const Expr d = m.attention.hidden;
  const std::optional<Expr> inner = c.optional_integer("mamba_d_ssm", 1024);
  Mamba2Mixer mixer = mamba2_fields(c, d, inner ? *inner : c.integer("mamba_expand", 2) * d);
  mixer.output_bias = c.flag("projectors_bias", false, Null::allowed);
  mixer.norm = c.flag("mamba_rms_norm", false, Null::allowed);
  return record(b, m, mixer, all(m.n_layers), all(m.n_layers));
}

}  // namespace

extern const Family bamba{
    .model_type = "bamba",
    .summary = "Hybrid of Mamba-2 and attention layers, each with a gated MLP.",
    .classes = {"Bamba", heads::decoder},
    .backbone = in_turn,
};
extern const Family falcon_h1{
    .model_type = "falcon_h1",
    .summary = "Parallel attention and Mamba-2 heads in each layer.",
    .classes = {"FalconH1", heads::decoder},
    .backbone = side_by_side,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
