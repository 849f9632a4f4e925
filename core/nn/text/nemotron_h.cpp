#include "core/nn/text/nemotron_h.hpp"

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view kinds_of_layers[] = {"linear_attention", "full_attention", "moe", "mlp", "mamba", "attention"};

/// The kind of each layer, read from a pattern with one letter per layer as in the older field hybrid_override_pattern.
std::vector<std::string_view> kinds_of_pattern(Config c, std::string_view pattern) {
  std::vector<std::string_view> kinds;
  for (const char letter : pattern) {
    switch (letter) {
      case 'M': kinds.emplace_back("linear_attention"); break;
      case 'E': kinds.emplace_back("moe"); break;
      case '*': kinds.emplace_back("full_attention"); break;
      case '-': kinds.emplace_back("mlp"); break;
      default: c.refuse(ErrorCode::out_of_range, "hybrid_override_pattern", "must consist of M, E, * and -, a letter for each layer.");
    }
  }
  return kinds;
}

std::vector<std::string_view> kinds_of(Config c, Text pattern) {
  const Json given = c.peek("layers_block_type");
  if (given.is_null()) c.refuse(ErrorCode::wrong_type, "layers_block_type", "must be a list of strings, not null.");
  if (!given && c.has("hybrid_override_pattern")) return kinds_of_pattern(c, c.text("hybrid_override_pattern", ""));
  if (!given && !pattern.empty()) {
    c.consume("layers_block_type");
    return kinds_of_pattern(c, pattern);
  }
  std::vector<std::string_view> kinds = c.words("layers_block_type", kinds_of_layers, {"linear_attention", "moe", "full_attention", "mlp"});
  use_current_names(kinds);
  return kinds;
}

}  // namespace

BackboneOutput nemotron_h_backbone(Config c, Builder& b, const NemotronDefaults& defaults, const NemotronNames& names) {
  const Expr d = c.integer("hidden_size", defaults.hidden), f = c.integer("intermediate_size", defaults.inner),
             vocab = c.integer("vocab_size", 131072);
  const std::vector<std::string_view> kinds = kinds_of(c, defaults.pattern);
  const Expr n = c.integer("num_attention_heads", 32, 1, Refused::no_heads), n_kv = c.integer("num_key_value_heads", defaults.kv_heads),
             h = c.integer("head_dim", 128);
  const Expr mixer_heads = c.integer("mamba_num_heads", defaults.mixer_heads, 1, Refused::no_heads),
             mixer_inner = mixer_heads * c.integer("mamba_head_dim", 64);
  const Mamba2Mixer mixer{.hidden = d,
                          .inner = mixer_inner,
                          .heads = mixer_heads,
                          .groups = c.integer("n_groups", 8),
                          .state = c.integer("ssm_state_size", 128),
                          .kernel = c.integer("conv_kernel", 4),
                          .conv_bias = c.flag("use_conv_bias", true),
                          .projection_bias = c.flag("use_bias", false),
                          .scalars = names.scalars};
  const bool bias = c.flag("mlp_bias", false);
  const Expr n_experts = c.integer("n_routed_experts", defaults.experts), n_active = c.integer("num_experts_per_tok", defaults.active),
             f_expert = c.integer("moe_intermediate_size", defaults.expert_inner);
  const Expr f_shared = c.integer("moe_shared_expert_intermediate_size", defaults.shared_inner);
  const std::optional<Expr> latent = c.optional_integer("moe_latent_size");

  const Expr n_layers = c.count("num_hidden_layers", "L", "Layers: the length of the pattern.", kinds.size());
  const auto layers = [&](Text kind, Text name, Text symbol, Text meaning, auto body) {
    b.repeat("layers", layers_of(c, kinds, kind, n_layers, name, symbol, meaning), [&] { b.scope("mixer", body); });
  };
  const Tensor table = embedding(b, names.embeddings, vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] { rms_norm(b, "norm", d); });
  layers("linear_attention", "num_mamba_layers", "L_m", "Mamba-2 layers.", [&] { mamba2_mixer(b, "", mixer); });
  layers("full_attention", "num_attention_layers", "L_a", "Attention layers.",
         [&] { attention(b, "", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h}); });
  layers("moe", "num_moe_layers", "L_e", "Mixture-of-experts layers.", [&] {
    // If moe_latent_size is given, it is the experts' input and output width, but the router reads the full hidden state.
    mixture(b, "",
            {.hidden = d,
             .count = n_experts,
             .active = n_active,
             .inner = f_expert,
             .expert_width = latent.value_or(d),
             .gate = "",
             .correction = RouterBias::buffer});
    if (latent)
      b.scope(Part::feed_forward, "", [&] {
        linear(b, "fc1_latent_proj", d, *latent, bias);
        linear(b, "fc2_latent_proj", *latent, d, bias);
      });
    b.owned_by(Owner::shared_expert, [&] { mlp(b, "shared_experts", d, is_zero(f_shared) ? f : f_shared, bias); });
  });
  layers("mlp", "num_mlp_layers", "L_f", "Feed-forward layers.", [&] { mlp(b, "", d, f, bias); });
  rms_norm(b, names.last_norm, d);
  return {.hidden = d, .vocabulary = b.row(table).shape.front()};
}

}  // namespace param_ledger
