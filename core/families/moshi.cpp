// Moshi: a Llama-like text decoder with fused gate and up projections, and with an additional embedding for the initial token; a codec and
// embedding tables for its codes; and a small depth decoder with separate matrices for each codebook. Kyutai's speech-to-text has the text
// decoder's layers on text and audio codes. Source: transformers, models/moshi, kyutai_speech_to_text.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

extern const Family mimi;  // defined in mimi.cpp

namespace {

/// Records the layers. Each attention projection is inside an additional module, e.g. `q_proj.linear`.
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
      linear(b, "fc1", d, f, false, TensorRole::gate_and_up);
      linear(b, "fc2", floor_divide(f, two), d, false, TensorRole::down);
    });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("ffn_dim", 22528), n_layers = c.integer("num_hidden_layers", 32),
             vocab = c.integer("vocab_size", 32000), n = c.integer("num_attention_heads", 32, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = head_dim_or_share(c, d, n);
  BackboneOutput out = decoder(b, vocab + 1, d, [&] { layers(b, n_layers, d, f, n, n_kv, h); });
  // transformers never ties the language model head to the embedding table, regardless of tie_word_embeddings.
  out.embedding = {};
  out.vocabulary = vocab;
  if (b.architecture().head == Head::conditional_generation) out.language_model = "decoder.lm_head";
  return out;
}

BackboneOutput speech_to_text_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 4001), d = c.integer("hidden_size", 2048), f = c.integer("ffn_dim", 11264),
             n_layers = c.integer("num_hidden_layers", 48), n = c.integer("num_attention_heads", 32, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = c.integer("head_dim", floor_divide(d, n));
  const Expr n_codebooks = c.integer("num_codebooks", 32), codes = c.integer("codebook_vocab_size", 2049);
  BackboneOutput out{.hidden = d, .vocabulary = vocab};
  // A single table has rows for the text tokens, for the codes of each codebook, and for padding.
  out.embedding = embedding(b, "embed_tokens.embed_tokens", vocab + n_codebooks * codes + 1, d);
  layers(b, n_layers, d, f, n, n_kv, h);
  rms_norm(b, "norm", d);
  return out;
}

/// Records the decoder that generates the codes of a time step one after another. Each codebook has its own matrices, which are stacked in
/// one tensor.
void depth_decoder(Config c, Builder& b, Expr vocab, Expr codes, Expr input, Expr books) {
  c.consume("model_type");
  const Expr d = c.integer("hidden_size", 1024), n_layers = c.integer("num_hidden_layers", 6), n = c.integer("num_attention_heads", 16, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = head_dim_or_share(c, d, n), f = c.integer("ffn_dim", 5632);
  const Expr two = c.literal(2), inner = floor_divide(f, two);
  const bool one = books.decide() == 1;
  require_multiple(f, two);
  const auto matrices = [&](TensorRole role, Text name, Expr in, Expr out) {
    b.scope(role, name, [&] { b.parameter("weight", {books, out, in}, StorageKind::matrix); });
  };
  embedding(b, "text_embed_tokens", vocab + 1, d, TensorRole::token_embedding);
  b.repeat("embed_tokens", all(books - 1), [&] { embedding(b, "", codes + 1, d); });
  b.tower(Tower::projector, "", [&] { matrices(TensorRole::unspecified, "input_projections", input, d); });
  b.repeat("layers", all(n_layers), [&] {
    require_multiple(d, n);
    rms_norm(b, "input_layernorm", d);
    b.scope(Part::attention, "self_attn", [&] {
      matrices(TensorRole::query, "q_proj.linear", d, n * h);
      matrices(TensorRole::key, "k_proj.linear", d, n_kv * h);
      matrices(TensorRole::value, "v_proj.linear", d, n_kv * h);
      matrices(TensorRole::output, "o_proj.linear", n * h, d);
    });
    rms_norm(b, "post_attention_layernorm", d);
    b.scope(Part::feed_forward, "mlp", [&] {
      if (one) {
        linear(b, "fc1", d, f, false, TensorRole::gate_and_up);
        linear(b, "fc2", inner, d, false, TensorRole::down);
      } else {
        matrices(TensorRole::gate_and_up, "fc1", d, f);
        matrices(TensorRole::down, "fc2", inner, d);
      }
    });
  });
  b.part(Part::output_head, [&] { matrices(TensorRole::head, "lm_heads", d, codes); });
}

void moshi_head(Config c, Builder& b, const BackboneOutput& m) {
  decoder_head(c, b, m);
  if (b.architecture().head != Head::conditional_generation) return;
  Config codec = c.section("audio_encoder_config"), depth = c.section("depth_decoder_config");
  const Expr books = c.integer("num_codebooks", 8);
  const bool said = is_given(c, "audio_encoder_config"), own = is_given(c, "depth_decoder_config");
  // If audio_encoder_config is given, audio_vocab_size defaults to its codebook_size. Otherwise audio_vocab_size is required.
  const Expr codes =
      said ? c.integer("audio_vocab_size", codec.integer("codebook_size", 2048)) : c.integer("audio_vocab_size", required(2048));
  b.repeat("embed_tokens", all(2 * books), [&] { embedding(b, "", codes + 1, m.hidden); });
  b.tower(Tower::audio, "audio_encoder", [&] { nested_auto(codec, b, "", "mimi"); });
  // If depth_decoder_config is given, transformers replaces these four fields by the whole model's values. Otherwise they have the depth
  // decoder's own defaults.
  for (const Text name : {"vocab_size", "audio_vocab_size", "input_size", "num_codebooks"})
    if (own) depth.ignore(name, "The value of the whole model is used.");
  b.tower(Tower::audio, "depth_decoder", [&] {
    depth_decoder(depth, b, own ? m.vocabulary : c.literal(32000), own ? codes : c.literal(2048), own ? m.hidden : c.literal(4096),
                  own ? books : c.literal(8));
  });
}

void speech_to_text_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::conditional_generation) return;
  Config codec = c.section("codec_config");
  if (&family_of_section(codec, b, "mimi") != &mimi) codec.refuse(ErrorCode::unsupported, "model_type", "must be mimi.");
  language_model_head(c, b, m);
  b.tower(Tower::audio, "codec_model", [&] { nested(codec, b, "", mimi); });
}

constexpr Architecture whole[] = {{"MoshiForConditionalGeneration", Head::conditional_generation, "decoder.model"}};

}  // namespace

extern const Family moshi{
    .model_type = "moshi",
    .summary = "Speech-to-speech dialogue: a text decoder, a depth decoder for audio codes, and the Mimi codec.",
    .classes = {.prefix = "Moshi", .heads = heads::decoder, .listed = whole},
    .backbone = backbone,
    .head = moshi_head,
};
extern const Family kyutai_speech_to_text{
    .model_type = "kyutai_speech_to_text",
    .summary = "Streaming speech recognition: Moshi's decoder on Mimi's audio codes.",
    .classes = {"KyutaiSpeechToText", heads::conditional | heads::base},
    .backbone = speech_to_text_backbone,
    .head = speech_to_text_head,
};

}  // namespace param_ledger
