// Moshi's text decoder: as Llama, with gate and up in one matrix and an embedding more than tokens, for the start of speech.
// Source: transformers, models/moshi.

#include "core/decoders.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("ffn_dim", 22528), n_layers = c.integer("num_hidden_layers", 32),
             vocab = c.integer("vocab_size", 32000), n = c.integer("num_attention_heads", 32, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = head_dim_or_share(c, d, n), two = b.pool().literal(2);
  require_multiple(f, two);
  Backbone out = decoder(b, vocab + 1, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      require_multiple(d, n);
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .q = "q_proj.linear",
                 .k = "k_proj.linear",
                 .v = "v_proj.linear",
                 .o = "o_proj.linear"});
      rms_norm(b, "post_attention_layernorm", d);
      b.scope(Part::feed_forward, "mlp", [&] {
        linear(b, "fc1", d, f);
        linear(b, "fc2", floor_divide(f, two), d);
      });
    });
  });
  // transformers has no tied head for it, whatever tie_word_embeddings says.
  out.embedding = {};
  out.vocabulary = vocab;
  return out;
}

}  // namespace

extern const Family moshi{
    .model_type = "moshi",
    .summary = "The text decoder of Moshi.",
    .classes = {"Moshi", heads::decoder},
    .backbone = backbone,
};

}  // namespace param_ledger
