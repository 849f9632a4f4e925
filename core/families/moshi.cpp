// Moshi's text decoder: as Llama, with gate and up in one matrix and an embedding more than tokens, for the start of speech. Kyutai's
// speech to text has the same layers over text and codes of sound, which a codec makes. Source: transformers, models/moshi,
// kyutai_speech_to_text.

#include "core/decoders.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"

namespace param_ledger {

extern const Family mimi;  // of a file of its own

namespace {

/// `layers`. Queries, keys and values are in modules of their own inside the attention.
void layers(Builder& b, Expr n_layers, Expr d, Expr f, Expr n, Expr n_kv, Expr h) {
  const Expr two = b.pool().literal(2);
  require_multiple(f, two);
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
      linear(b, "fc1", d, f, false, Does::up);
      linear(b, "fc2", floor_divide(f, two), d, false, Does::down);
    });
  });
}

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("ffn_dim", 22528), n_layers = c.integer("num_hidden_layers", 32),
             vocab = c.integer("vocab_size", 32000), n = c.integer("num_attention_heads", 32, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = head_dim_or_share(c, d, n);
  Backbone out = decoder(b, vocab + 1, d, [&] { layers(b, n_layers, d, f, n, n_kv, h); });
  // transformers has no tied head for it, whatever tie_word_embeddings says.
  out.embedding = {};
  out.vocabulary = vocab;
  return out;
}

Backbone hearing_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 4001), d = c.integer("hidden_size", 2048), f = c.integer("ffn_dim", 11264),
             n_layers = c.integer("num_hidden_layers", 48), n = c.integer("num_attention_heads", 32, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = c.integer("head_dim", floor_divide(d, n));
  const Expr n_codebooks = c.integer("num_codebooks", 32), codes = c.integer("codebook_vocab_size", 2049);
  Backbone out{.hidden = d, .vocabulary = vocab};
  out.embedding = embedding(b, "embed_tokens.embed_tokens", vocab + n_codebooks * codes + 1, d, Does::token_embedding);
  layers(b, n_layers, d, f, n, n_kv, h);
  rms_norm(b, "norm", d);
  return out;
}

void hearing_head(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head != Head::conditional_generation) return;
  Config codec = c.section("codec_config");
  if (&family_of_section(codec, b, "mimi") != &mimi) codec.refuse(ErrorCode::unsupported, "model_type", "must be mimi.");
  language_model_head(c, b, m);
  b.tower(Part::audio, "codec_model", [&] { nested(codec, b, "", mimi); });
}

}  // namespace

extern const Family moshi{
    .model_type = "moshi",
    .summary = "The text decoder of Moshi.",
    .classes = {"Moshi", heads::decoder},
    .backbone = backbone,
};
extern const Family kyutai_speech_to_text{
    .model_type = "kyutai_speech_to_text",
    .summary = "Moshi's decoder, which hears by a codec and writes.",
    .classes = {"KyutaiSpeechToText", heads::conditional | heads::base},
    .backbone = hearing_backbone,
    .head = hearing_head,
};

}  // namespace param_ledger
