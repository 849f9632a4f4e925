// MusicGen: a text encoder (by default T5's) reads the prompt, a decoder generates the codes of several codebooks at once, and a codec (by
// default EnCodec) decodes the codes to audio. MusicGen Melody has no cross-attention: its decoder reads text and melody as a prefix of the
// codes. Source: transformers, models/musicgen, musicgen_melody.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

extern const Family musicgen_decoder, musicgen_melody_decoder;

namespace {

template <bool is_cross_attention>
BackboneOutput decoder_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 2048), d = c.integer("hidden_size", 1024), f = c.integer("ffn_dim", 4096);
  const Expr n_layers = c.integer("num_hidden_layers", 24), n = c.integer("num_attention_heads", 16, 1);
  const Expr n_codebooks = c.integer("num_codebooks", 4);
  require_multiple(d, n);
  b.scope("decoder", [&] {
    // Each codebook's embedding table has one row per code, and one for padding.
    b.repeat("embed_tokens", all(n_codebooks), [&] { embedding(b, "", vocab + 1, d, TensorRole::token_embedding); });
    stack_layers(b, {.hidden = d,
                     .n_layers = n_layers,
                     .inner = f,
                     .heads = n,
                     .cross_attention = is_cross_attention,
                     .attention_bias = false,
                     .key_bias = false,
                     .mlp_bias = false});
    layer_norm(b, "layer_norm", d);
  });
  return {.hidden = d};
}

/// Records a head for each codebook.
void decoder_heads_of(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::causal_lm) return;
  const Expr vocab = c.integer("vocab_size", 2048), n_codebooks = c.integer("num_codebooks", 4);
  b.part(Part::output_head,
         [&] { b.repeat("lm_heads", all(n_codebooks), [&] { linear(b, "", m.hidden, vocab, false, TensorRole::head); }); });
}

template <const Family& its_decoder, bool melody>
BackboneOutput backbone(Config c, Builder& b) {
  Config text = c.section("text_encoder"), decoder = c.section("decoder");
  const Expr read = nested_with_head(text, b, "text_encoder", family_of_section(text, b, "t5"), Head::encoder).hidden;
  b.tower(Tower::audio, "audio_encoder", [&] { nested_auto(c.section("audio_encoder"), b, "", "encodec"); });
  const BackboneOutput out = nested_with_head(decoder, b, "decoder", its_decoder, Head::causal_lm);
  b.tower(Tower::projector, "", [&] {
    const bool said = !melody && is_given(decoder, "cross_attention_hidden_size");
    if (said) require_equal(decoder.optional_integer("cross_attention_hidden_size").value_or(read), read);
    if (melody || (!said && read.decide() != out.hidden.decide())) linear(b, "enc_to_dec_proj", read, out.hidden, true);
    if (melody) linear(b, "audio_enc_to_dec_proj", c.integer("num_chroma", 12), out.hidden, true);
  });
  return out;
}

constexpr Architecture classes[] = {{"MusicgenForConditionalGeneration", Head::none, ""}};
constexpr Architecture melody_classes[] = {{"MusicgenMelodyForConditionalGeneration", Head::none, ""}};

}  // namespace

extern const Family musicgen{
    .model_type = "musicgen",
    .summary = "Text-to-music: T5's encoder, a decoder that generates audio codes, and EnCodec.",
    .classes = {.listed = classes},
    .backbone = backbone<musicgen_decoder, false>,
};
extern const Family musicgen_decoder{
    .model_type = "musicgen_decoder",
    .summary = "MusicGen's decoder: a transformer that generates audio codes.",
    .classes = {"Musicgen", heads::decoder},
    .backbone = decoder_backbone<true>,
    .head = decoder_heads_of,
};
extern const Family musicgen_melody{
    .model_type = "musicgen_melody",
    .summary = "Like MusicGen, also conditioned on a melody.",
    .classes = {.listed = melody_classes},
    .backbone = backbone<musicgen_melody_decoder, true>,
};
extern const Family musicgen_melody_decoder{
    .model_type = "musicgen_melody_decoder",
    .summary = "Like MusicGen's decoder, without cross-attention.",
    .classes = {"MusicgenMelody", heads::decoder},
    .backbone = decoder_backbone<false>,
    .head = decoder_heads_of,
};

}  // namespace param_ledger
