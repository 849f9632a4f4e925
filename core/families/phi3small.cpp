// Phi-3-small: grouped-query attention in one projection, gated feed-forward with gate and up in one, layer norms, biases
// everywhere, tied head.
// Source: modeling_phi3_small.py and configuration_phi3_small.py as published with the models; transformers has no type for them.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const Json multiplier = c.peek("ff_dim_multiplier");
  if (multiplier && !multiplier.is_null())
    c.refuse(ErrorCode::unsupported, "ff_dim_multiplier", "is not counted: give ff_intermediate_size in its place.");
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("ff_intermediate_size", 14336);
  const Expr n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 100352);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 8);
  Backbone out = decoder(
      b, vocab, d,
      [&] {
        b.repeat("layers", all(n_layers), [&] {
          layer_norm(b, "input_layernorm", d);
          attention(
              b, "self_attn",
              {.hidden = d, .heads = n, .kv_heads = n_kv, .qkv_bias = true, .output_bias = true, .fused = "query_key_value", .o = "dense"});
          layer_norm(b, "post_attention_layernorm", d);
          fused_gated_mlp(b, "mlp", d, f, true, "up_proj", "down_proj");
        });
      },
      Norm::layer, "final_layernorm");
  out.tie_by_default = true;
  return out;
}

}  // namespace

const Family phi3small{"phi3small",
                       "Grouped-query attention in one projection, gated feed-forward, layer norms, biases, tied head.",
                       {"Phi3Small", heads::decoder | heads::sequence},
                       {},
                       backbone};

}  // namespace param_ledger
