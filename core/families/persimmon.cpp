// Persimmon: one projection for query, key and value, layer norms on query and key heads, two-matrix feed-forward, biases.
// Source: transformers, models/persimmon.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 16384, 36, 262144, 64});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const HeadNorms head_norms = c.flag("qk_layernorm", true) ? HeadNorms::per_head : HeadNorms::none;
  return decoder(
      b, vocab, d,
      [&] {
        b.repeat("layers", all(n_layers), [&] {
          layer_norm(b, "input_layernorm", d);
          attention(b, "self_attn",
                    {.hidden = d,
                     .heads = n,
                     .qkv_bias = true,
                     .output_bias = true,
                     .head_norms = head_norms,
                     .head_norm_kind = Norm::layer,
                     .fused = "query_key_value",
                     .o = "dense",
                     .q_norm = "q_layernorm",
                     .k_norm = "k_layernorm"});
          layer_norm(b, "post_attention_layernorm", d);
          mlp(b, "mlp", d, f, true, "dense_h_to_4h", "dense_4h_to_h");
        });
      },
      Norm::layer, "final_layernorm");
}

}  // namespace

const Family persimmon{"persimmon",
                       "Multi-head attention in one projection with norms on query and key, two-matrix feed-forward, biases.",
                       {"Persimmon", heads::decoder | heads::sequence | heads::token},
                       {},
                       backbone};

}  // namespace param_ledger
