// Mixtral: as Mistral, with a mixture of experts in the place of each feed-forward block.
// Source: transformers, models/mixtral.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};  // transformers' attribute_map

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 14336, 32, 32000, 32});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = head_dim_or_share(c, d, n);
  const Expr n_experts = c.integer("num_local_experts", 8), n_active = c.integer("num_experts_per_tok", 2);
  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h});
      rms_norm(b, "post_attention_layernorm", d);
      mixture(b, "block_sparse_moe",
              {.hidden = d, .count = n_experts, .active = n_active, .inner = f, .gate = "w1", .up = "w3", .down = "w2"});
    });
  });
}

}  // namespace

const Family mixtral{"mixtral", "As Mistral, with a mixture of experts in each layer.", {"Mixtral", heads::all}, aliases, backbone};

}  // namespace param_ledger
