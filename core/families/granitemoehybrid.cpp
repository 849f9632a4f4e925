// Granite 4: each layer has a Mamba-2 mixer or attention, followed by a feed-forward block. Unless num_local_experts is 0, routed experts
// run in parallel to this block.
// Source: transformers, models/granitemoehybrid.

#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"layers_block_type", "layer_types"}};
constexpr std::string_view kinds_of_layers[] = {"mamba", "attention", "linear_attention", "full_attention"};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 32000);
  const auto kinds = layer_kinds(c, "layer_types", n_layers, kinds_of_layers, [](std::uint64_t) { return "linear_attention"; });
  const IndexSet mixers = layers_of(c, kinds, "linear_attention", n_layers, "num_mamba_layers", "L_m", "Layers with a Mamba-2 mixer.");
  const IndexSet attentions = layers_of(c, kinds, "full_attention", n_layers, "num_attention_layers", "L_a", "Layers with attention.");
  const Expr n = c.integer("num_attention_heads", 32, 1, Refused::no_heads);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = c.integer("head_dim", attribute.or_else(floor_divide(d, n)));
  const bool bias = c.flag("attention_bias", false);
  const Mamba2Mixer mixer = mamba2_fields(c, d, c.integer("mamba_expand", 2) * d);
  const Expr f_shared = c.integer("shared_intermediate_size", 1024), f = c.integer("intermediate_size", 11008);
  const Expr n_experts = c.integer("num_local_experts", 8);
  Mixture experts = granite_experts(f);
  experts.hidden = d;
  experts.count = n_experts;
  experts.active = c.optional_integer("num_experts_per_tok", 2).value_or(Expr{});

  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] { rms_norm(b, "input_layernorm", d); });
    b.repeat("layers", mixers, [&] { mamba2_mixer(b, "mamba", mixer); });
    b.repeat("layers", attentions, [&] {
      attention(
          b, "self_attn",
          {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias, .scaled_by_head_dim = false});
    });
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "post_attention_layernorm", d);
      if (!is_zero(n_experts)) mixture(b, "block_sparse_moe", experts);
      b.owned_by(is_zero(n_experts) ? Owner::itself : Owner::shared_expert,
                 [&] { fused_gated_mlp(b, "shared_mlp", d, f_shared, false, "input_linear", "output_linear"); });
    });
  });
}

}  // namespace

extern const Family granitemoehybrid{
    .model_type = "granitemoehybrid",
    .summary = "Hybrid of Mamba-2 and attention layers, each with a mixture of experts and a shared expert.",
    .classes = {"GraniteMoeHybrid", heads::decoder},
    .aliases = aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
