// gpt-oss: grouped-query attention with biases and a sink per head; a mixture of experts in each layer, stored fused, with biases.
// Source: transformers, models/gpt_oss.

#include "core/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2880, 2880, 36, 201088, 64});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 64);
  const bool bias = c.flag("attention_bias", true);
  const Expr n_experts = c.integer("num_local_experts", 128), n_active = c.integer("num_experts_per_tok", 4);
  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn",
                {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias, .sinks = true});
      rms_norm(b, "post_attention_layernorm", d);
      mixture(b, "mlp",
              {.hidden = d,
               .count = n_experts,
               .active = n_active,
               .inner = f,
               .layout = ExpertLayout::stacked_transposed,
               .expert_bias = true,
               .router = "router",
               .router_bias = true});
    });
  });
}

}  // namespace

extern const Family gpt_oss{
    .model_type = "gpt_oss",
    .summary = "Grouped-query attention with sinks; fused experts with biases in each layer.",
    .classes = {"GptOss", heads::decoder | heads::sequence | heads::token},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::every(128, 2),
    .peft = PeftExperts::parameters,
};

}  // namespace param_ledger
