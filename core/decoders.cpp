#include "core/decoders.hpp"

#include "core/layers.hpp"

namespace param_ledger {

LlamaDecoder llama_fields(Config& c, const LlamaDefaults& defaults) {
  LlamaDecoder m;
  m.attention.hidden = c.integer("hidden_size", defaults.hidden);
  m.inner = c.integer("intermediate_size", defaults.inner);
  m.n_layers = c.integer("num_hidden_layers", defaults.layers);
  m.vocabulary = c.integer("vocab_size", defaults.vocabulary);
  m.attention.heads = c.integer("num_attention_heads", defaults.heads, 1);
  return m;
}

void llama_decoder(Config& c, Builder& b, const LlamaDecoder& m) {
  const Expr d = m.attention.hidden;
  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_tokens", m.vocabulary, d);
    b.repeat("layers", all(m.n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", m.attention);
      rms_norm(b, "post_attention_layernorm", d);
      gated_mlp(b, "mlp", d, m.inner, m.mlp_bias);
    });
    rms_norm(b, "norm", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = m.vocabulary, .tie_by_default = m.tie_by_default});
}

}  // namespace param_ledger
