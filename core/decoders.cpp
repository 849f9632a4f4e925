#include "core/decoders.hpp"

namespace param_ledger {

DecoderSizes decoder_sizes(Config c, const DecoderDefaults& defaults) {
  const Expr d = c.integer("hidden_size", defaults.hidden), f = c.integer("intermediate_size", defaults.inner);
  const Expr n_layers = c.integer("num_hidden_layers", defaults.layers), vocab = c.integer("vocab_size", defaults.vocabulary);
  return {d, f, n_layers, vocab, c.integer("num_attention_heads", defaults.heads, 1)};
}

LlamaDecoder llama_fields(Config c, const DecoderDefaults& defaults) {
  const DecoderSizes s = decoder_sizes(c, defaults);
  return {.attention = {.hidden = s.d, .heads = s.n}, .inner = s.f, .n_layers = s.n_layers, .vocabulary = s.vocab};
}

Backbone llama_decoder(Builder& b, const LlamaDecoder& m) {
  const Expr d = m.attention.hidden;
  return decoder(b, m.vocabulary, d, [&] {
    b.repeat("layers", all(m.n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", m.attention);
      rms_norm(b, "post_attention_layernorm", d);
      gated_mlp(b, "mlp", d, m.inner, m.mlp_bias);
    });
  });
}

}  // namespace param_ledger
