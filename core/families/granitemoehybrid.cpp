// Granite 4: each layer is a Mamba-2 mixer or attention, followed by a shared feed-forward block and, beside it, experts.
// Source: transformers, models/granitemoehybrid.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"GraniteMoeHybridForCausalLM", Head::causal_lm, "model"},
    {"GraniteMoeHybridModel", Head::none, ""},
};

constexpr Alias aliases[] = {{"layers_block_type", "layer_types"}};

struct Layers {
  IndexSet mixer;
  IndexSet attention;
};

Layers layers_of_both_kinds(Config& c, Expr n_layers) {
  std::optional<std::vector<std::string>> kinds = c.words("layer_types", {"mamba", "attention", "linear_attention", "full_attention"});
  if (!kinds) return {all(n_layers), {}};
  modernise_layer_types(*kinds);
  require_length("layer_types", kinds->size(), n_layers);
  return {layers_of(c, *kinds, "linear_attention", "num_mamba_layers", "L_m", "Layers with a Mamba-2 mixer."),
          layers_of(c, *kinds, "full_attention", "num_attention_layers", "L_a", "Layers with attention.")};
}

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 32000);
  const Layers layers = layers_of_both_kinds(c, n_layers);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", n),
             h = c.attribute("head_dim", floor_divide(d, n));
  const bool attention_bias = c.flag("attention_bias", false);
  const Expr inner = c.integer("mamba_expand", 2) * d, heads = c.integer("mamba_n_heads", 128, 1);
  const Expr head_dim = c.automatic("mamba_d_head", floor_divide(inner, heads));
  const Expr groups = c.integer("mamba_n_groups", 1), state = c.integer("mamba_d_state", 256), kernel = c.integer("mamba_d_conv", 4);
  const bool conv_bias = c.flag("mamba_conv_bias", true, Null::allowed), projection_bias = c.flag("mamba_proj_bias", false, Null::allowed);
  const Expr f_shared = c.integer("shared_intermediate_size", 1024), f = c.integer("intermediate_size", 11008);
  const Expr n_experts = c.integer("num_local_experts", 8), n_active = c.optional_integer("num_experts_per_tok", 2).value_or(n_experts);
  require_multiple("mamba_n_heads", inner, heads);
  require_equal("mamba_d_head", head_dim * heads, inner);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_tokens", vocab, d);
    b.repeat("layers", all(n_layers), [&] { rms_norm(b, "input_layernorm", d); });
    b.repeat("layers", layers.mixer, [&] {
      mamba2_mixer(b, "mamba",
                   {.hidden = d,
                    .inner = inner,
                    .heads = heads,
                    .groups = groups,
                    .state = state,
                    .kernel = kernel,
                    .conv_bias = conv_bias,
                    .projection_bias = projection_bias});
    });
    b.repeat("layers", layers.attention, [&] {
      attention(b, "self_attn",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = attention_bias,
                 .output_bias = attention_bias,
                 .scaled_by_head_dim = false});
    });
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "post_attention_layernorm", d);
      if (n_experts.value() > 0) {
        b.scope("block_sparse_moe", [&] {
          b.part(Part::router, [&] { b.scope("router", [&] { linear(b, "layer", d, n_experts); }); });
          b.part(Part::feed_forward, [&] {
            b.expert_parameter("input_linear.weight", {n_experts, 2 * f, d}, n_active);
            b.expert_parameter("output_linear.weight", {n_experts, d, f}, n_active);
          });
        });
      }
      b.part(Part::feed_forward, [&] {
        b.scope("shared_mlp", [&] {
          linear(b, "input_linear", d, 2 * f_shared);
          linear(b, "output_linear", f_shared, d);
        });
      });
    });
    rms_norm(b, "norm", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab});
}

}  // namespace

const Family granitemoehybrid{"granitemoehybrid", "Mamba-2 mixers and attention, each with a shared feed-forward block and fused experts.",
                              classes, aliases, record};

}  // namespace param_ledger
