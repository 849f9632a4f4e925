// Nemotron-H: each layer is one of Mamba-2 mixer, attention, feed-forward or mixture of experts, in the order of a pattern.
// Source: transformers, models/nemotron_h.

#include <algorithm>

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"NemotronHForCausalLM", Head::causal_lm, "backbone"},
    {"NemotronHModel", Head::none, ""},
};

constexpr Alias aliases[] = {
    {"layer_types", "layers_block_type"}, {"num_local_experts", "n_routed_experts"}, {"mamba_n_groups", "n_groups"},
    {"mamba_d_conv", "conv_kernel"},      {"mamba_conv_bias", "use_conv_bias"},      {"mamba_expand", "expand"},
};

/// hybrid_override_pattern, the older spelling: a letter for each layer.
std::vector<std::string> kinds_of_pattern(std::string_view pattern) {
  std::vector<std::string> kinds;
  for (const char letter : pattern) {
    switch (letter) {
      case 'M': kinds.emplace_back("linear_attention"); break;
      case 'E': kinds.emplace_back("moe"); break;
      case '*': kinds.emplace_back("full_attention"); break;
      case '-': kinds.emplace_back("mlp"); break;
      default: refuse(ErrorCode::out_of_range, "hybrid_override_pattern", "must consist of M, E, * and -, a letter for each layer.");
    }
  }
  return kinds;
}

std::vector<std::string> layer_kinds(Config& c) {
  if (!c.holds_list("layers_block_type") && c.has("hybrid_override_pattern")) {
    const std::optional<std::string> pattern = c.optional_text("hybrid_override_pattern");
    if (!pattern) refuse(ErrorCode::wrong_type, "hybrid_override_pattern", "must be a string of M, E, * and -, not null.");
    return kinds_of_pattern(*pattern);
  }
  std::vector<std::string> kinds = c.words("layers_block_type", {"linear_attention", "full_attention", "moe", "mlp", "mamba", "attention"},
                                           {"linear_attention", "moe", "full_attention", "mlp"});
  modernise_layer_types(kinds);
  return kinds;
}

/// What the experts of a layer and the way to them are made of.
struct MixtureOfExperts {
  Expr hidden, count, active, inner, shared_inner;
  std::optional<Expr> latent;  ///< the width that experts work at, where it is not the hidden size
  bool bias;
};

void mixture_of_experts(Builder& b, const MixtureOfExperts& m) {
  const Expr width = m.latent.value_or(m.hidden);
  router(b, "gate", m.count, m.hidden, m.count.value() > 0);
  b.part(Part::feed_forward, [&] {
    if (m.count.value() == 0) {
      // As in blocks.cpp: no experts keep transformers' own, fused names.
      b.scope("experts", [&] {
        b.parameter("up_proj", {m.count, m.inner, width});
        b.parameter("down_proj", {m.count, width, m.inner});
      });
    }
    b.repeat_experts("experts", m.count, m.active, [&] {
      linear(b, "up_proj", width, m.inner);
      linear(b, "down_proj", m.inner, width);
    });
    if (m.latent) {
      linear(b, "fc1_latent_proj", m.hidden, width, m.bias);
      linear(b, "fc2_latent_proj", width, m.hidden, m.bias);
    }
  });
  mlp(b, "shared_experts", m.hidden, m.shared_inner, m.bias);
}

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 21504), vocab = c.integer("vocab_size", 131072);
  const std::vector<std::string> kinds = layer_kinds(c);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 128);
  const Expr mixer_heads = c.integer("mamba_num_heads", 128), mixer_inner = mixer_heads * c.integer("mamba_head_dim", 64);
  const Expr groups = c.integer("n_groups", 8), state = c.integer("ssm_state_size", 128), kernel = c.integer("conv_kernel", 4);
  const bool conv_bias = c.flag("use_conv_bias", true), mixer_bias = c.flag("use_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Expr f_shared = c.integer("moe_shared_expert_intermediate_size", 7688);
  const MixtureOfExperts experts{.hidden = d,
                                 .count = c.integer("n_routed_experts", 8),
                                 .active = c.integer("num_experts_per_tok", 2),
                                 .inner = c.integer("moe_intermediate_size", 7688),
                                 .shared_inner = f_shared.value() == 0 ? f : f_shared,
                                 .latent = c.optional_integer("moe_latent_size"),
                                 .bias = mlp_bias};
  note_prediction_layers(c, b, "num_nextn_predict_layers");

  const Expr n_layers = c.count("num_hidden_layers", "L", "Layers: the length of the pattern.", kinds.size());
  // transformers' own name of the backbone, which a checkpoint has only where experts cannot be converted: there are none.
  const bool own_names = experts.count.value() == 0 && std::find(kinds.begin(), kinds.end(), "moe") != kinds.end();
  const std::string_view backbone = own_names && !b.architecture().backbone.empty() ? "model" : b.architecture().backbone;
  const auto layers = [&](std::string_view kind, std::string_view name, std::string_view symbol, std::string_view meaning, auto body) {
    b.repeat("layers", layers_of(c, kinds, kind, name, symbol, meaning), [&] { b.scope("mixer", body); });
  };
  b.scope(backbone, [&] {
    embedding(b, "embeddings", vocab, d);
    b.repeat("layers", all(n_layers), [&] { rms_norm(b, "norm", d); });
    layers("linear_attention", "num_mamba_layers", "L_m", "Layers that are a Mamba-2 mixer.", [&] {
      mamba2_mixer(b, "",
                   {.hidden = d,
                    .inner = mixer_inner,
                    .heads = mixer_heads,
                    .groups = groups,
                    .state = state,
                    .kernel = kernel,
                    .conv_bias = conv_bias,
                    .projection_bias = mixer_bias});
    });
    layers("full_attention", "num_attention_layers", "L_a", "Layers that are attention.",
           [&] { attention(b, "", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h}); });
    layers("moe", "num_moe_layers", "L_e", "Layers that are a mixture of experts.", [&] { mixture_of_experts(b, experts); });
    layers("mlp", "num_mlp_layers", "L_f", "Layers that are a feed-forward block.", [&] { mlp(b, "", d, f, mlp_bias); });
    rms_norm(b, "norm_f", d);
  });
  if (own_names) {
    const IndexSet moe_layers = layers_of(c, kinds, "moe", "num_moe_layers", "L_e", "");
    b.scope(b.architecture().backbone, [&] {
      b.repeat("layers", moe_layers,
               [&] { b.part(Part::router, [&] { b.buffer("mixer.gate.e_score_correction_bias", {experts.count}); }); });
    });
  }
  b.part(Part::output_head, [&] {
    if (b.architecture().head == Head::causal_lm) b.parameter("lm_head.weight", {vocab, d});
  });
  c.ignore("tie_word_embeddings", "transformers never ties the head of this type.");
}

}  // namespace

const Family nemotron_h{"nemotron_h", "A pattern of Mamba-2 mixers, attention, feed-forward blocks and mixtures of experts.", classes,
                        aliases, record};

}  // namespace param_ledger
