// DeepSeek-V3 and R1: latent attention (MLA); the first layers are dense, the others a mixture of experts with shared ones.
// Source: transformers, models/deepseek_v3.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}};

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 7168), f = c.integer("intermediate_size", 18432);
  const Expr n_layers = c.integer("num_hidden_layers", 61), vocab = c.integer("vocab_size", 129280);
  const LatentAttention latent = latent_attention_fields(c, d);
  const Expr n_experts = c.integer("n_routed_experts", 256), n_shared = c.integer("n_shared_experts", 1),
             f_expert = c.integer("moe_intermediate_size", 2048);
  const Expr n_active = c.optional_integer("num_experts_per_tok", 8).value_or(n_experts), n_dense = c.integer("first_k_dense_replace", 3);

  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      latent_attention(b, "self_attn", latent);
      rms_norm(b, "post_attention_layernorm", d);
    });
    b.repeat("layers", first(n_dense, n_layers), [&] { gated_mlp(b, "mlp", d, f); });
    b.repeat("layers", between(n_dense, n_layers), [&] {
      mixture(b, "mlp",
              {.hidden = d,
               .count = n_experts,
               .active = n_active,
               .inner = f_expert,
               .correction = Correction::buffer,
               .shared = f_expert * n_shared});
    });
  });
}

}  // namespace

const Family deepseek_v3{"deepseek_v3",
                         "Latent attention; dense first layers, then routed and shared experts.",
                         {"DeepseekV3", heads::decoder | heads::sequence | heads::token},
                         aliases,
                         backbone};

}  // namespace param_ledger
