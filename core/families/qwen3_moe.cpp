// Qwen3-MoE: as Qwen3, with a mixture of experts in every layer that mlp_only_layers and decoder_sparse_step leave.
// Source: transformers, models/qwen3_moe.

#include "core/decoders.hpp"
#include "core/families.hpp"
#include "core/layer_kinds.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_local_experts", "num_experts"}};

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 6144, 24, 151936, 32});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.attribute("head_dim", floor_divide(d, n));
  const bool bias = c.flag("attention_bias", false);
  const Expr n_experts = c.integer("num_experts", 128), n_active = c.integer("num_experts_per_tok", 8),
             f_expert = c.integer("moe_intermediate_size", 768);
  const Split layers = sparse_layers(c, n_layers);

  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = bias,
                 .output_bias = bias,
                 .head_norms = HeadNorms::per_head});
      rms_norm(b, "post_attention_layernorm", d);
    });
    b.repeat("layers", layers.out, [&] { gated_mlp(b, "mlp", d, f); });
    b.repeat("layers", layers.in, [&] { mixture(b, "mlp", {.hidden = d, .count = n_experts, .active = n_active, .inner = f_expert}); });
  });
}

}  // namespace

const Family qwen3_moe{"qwen3_moe",
                       "As Qwen3, with a mixture of experts in all or some layers.",
                       {"Qwen3Moe", heads::all, "model", "transformer"},
                       aliases,
                       backbone};

}  // namespace param_ledger
