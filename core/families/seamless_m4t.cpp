// SeamlessM4T: an encoder-decoder converts speech or text to text. A second one converts the hidden states of the first one's decoder to
// speech units, and a vocoder converts the units to audio. A class has only the parts that it needs. Source: transformers,
// models/seamless_m4t, seamless_m4t_v2.

#include "core/nn/audio/hifi_gan.hpp"
#include "core/nn/audio/wav2vec2_conformer.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "decoder_layers"}, {"num_attention_heads", "decoder_attention_heads"}};
constexpr StackNames names{.cross = "cross_attention",
                           .cross_norm = "cross_attention_layer_norm",
                           .up = "ffn.fc1",
                           .down = "ffn.fc2",
                           .last_norm = "ffn_layer_norm"};

void speech_encoder(Config c, Builder& b, Expr d, bool second) {
  const Expr n_layers = c.integer("speech_encoder_layers", 24), n = c.integer("speech_encoder_attention_heads", 16, 1),
             f = c.integer("speech_encoder_intermediate_size", 4096), bands = c.integer("feature_projection_input_dim", 160);
  const Expr kernel = conformer_kernel(c, n_layers);
  const std::string_view positions = c.text("position_embeddings_type", second ? "relative_key" : "relative");
  Expr distances;
  if (second) distances = c.integer("left_max_position_embeddings", 64) + c.integer("right_max_position_embeddings", 8) + 1;
  const bool adapted = c.flag("add_adapter", true);
  const Expr adapter_kernel = c.integer("adaptor_kernel_size", 8), n_adapters = c.integer("num_adapter_layers", 1);
  const SpeechConformer m{.hidden = d,
                          .inner = f,
                          .heads = n,
                          .kernel = kernel,
                          .relative = !second && positions == "relative",
                          .distances = positions == "relative_key" ? distances : Expr{},
                          .batch_norm = !second};
  b.tower(Tower::audio, "speech_encoder", [&] {
    b.scope(Part::embedding, "feature_projection", [&] {
      layer_norm(b, "layer_norm", bands);
      linear(b, "projection", bands, d, true);
    });
    b.scope("encoder", [&] {
      if (!second && positions == "rotary") rotary_frequencies(b, d, n);
      speech_conformer_layers(b, m, n_layers);
      layer_norm(b, "layer_norm", d);
    });
    mlp(b, "intermediate_ffn", d, f, true, "intermediate_dense", "output_dense");
    if (adapted) b.scope("adapter", [&] { speech_adapter_layers(b, m, adapter_kernel, n_adapters); });
    layer_norm(b, "inner_layer_norm", d);
  });
}

/// Records the layers of a stack and its final norm.
void stack(Builder& b, const Stack& s) {
  stack_layers(b, s);
  layer_norm(b, "layer_norm", s.hidden);
}

/// Records the layers that predict durations: of each speech unit in the vocoder, of each character in the second version's unit decoder.
void duration_predictor(Builder& b, Text name, Expr width, Expr inner, Expr kernel) {
  b.scope(Part::adapter, name, [&] {
    conv1d(b, "conv1", width, inner, kernel);
    layer_norm(b, "ln1", inner);
    conv1d(b, "conv2", inner, inner, kernel);
    layer_norm(b, "ln2", inner);
    linear(b, "proj", inner, b.pool().literal(1), true);
  });
}

/// Records the second version's unit decoder, which predicts how long each character lasts and then generates all units at once.
void parallel_decoder(Config c, Builder& b, const Stack& s) {
  const Expr d = s.hidden, one = c.literal(1), chars = c.integer("char_vocab_size", 10943);
  const Expr width = c.integer("t2u_variance_predictor_embed_dim", 1024), inner = c.integer("t2u_variance_predictor_hidden_dim", 256),
             kernel = c.integer("t2u_variance_predictor_kernel_size", 3);
  embedding(b, "embed_char", chars, d);
  b.part(Part::embedding, [&] {
    for (const Text name : {"pos_emb_alpha_char", "pos_emb_alpha"}) b.parameter(name, {one});
  });
  duration_predictor(b, "duration_predictor", width, inner, kernel);
  b.repeat("layers", all(s.n_layers), [&] {
    attention(b, "self_attn", {.hidden = d, .heads = s.heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
    layer_norm(b, "self_attn_layer_norm", d);
    b.part(Part::convolution, [&] {
      for (const Text name : {"conv1", "conv2"}) conv1d(b, name, d, d, 7);
    });
    layer_norm(b, "conv_layer_norm", d);
  });
  layer_norm(b, "layer_norm", d);
}

/// Records the second encoder-decoder, which converts the text decoder's hidden states to speech units.
void text_to_unit(Config c, Builder& b, Expr d, bool second) {
  const Expr vocab = c.integer("t2u_vocab_size", 10082);
  const auto fields = [&](Text layers, Text inner, Text heads) {
    return Stack{
        .hidden = d, .n_layers = c.integer(layers, 6), .inner = c.integer(inner, 8192), .heads = c.integer(heads, 16), .names = names};
  };
  const Stack encoder = fields("t2u_encoder_layers", "t2u_encoder_ffn_dim", "t2u_encoder_attention_heads");
  Stack decoder = fields("t2u_decoder_layers", "t2u_decoder_ffn_dim", "t2u_decoder_attention_heads");
  decoder.cross_attention = true;
  b.tower(Tower::audio, "t2u_model", [&] {
    b.scope("model.encoder", [&] { stack(b, encoder); });
    Tensor units;
    b.scope("model.decoder", [&] {
      units = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
      if (second)
        parallel_decoder(c, b, decoder);
      else
        stack(b, decoder);
    });
    language_model_head(b, {.hidden = d, .embedding = units}, c.flag("tie_word_embeddings", true));
  });
}

void vocoder(Config c, Builder& b) {
  const Expr units = c.integer("unit_hifi_gan_vocab_size", 10000), d = c.integer("unit_embed_dim", 1280);
  const Expr n_languages = c.integer("vocoder_num_langs", 36), d_language = c.integer("lang_embed_dim", 256);
  const Expr n_speakers = c.integer("vocoder_num_spkrs", 200), d_speaker = c.integer("spkr_embed_dim", 256);
  const Expr kernel = c.integer("variance_predictor_kernel_size", 3);
  b.tower(Tower::audio, "vocoder", [&] {
    duration_predictor(b, "dur_predictor", d, d, kernel);
    embedding(b, "unit_embedding", units, d);
    embedding(b, "speaker_embedding", n_speakers, d_speaker);
    embedding(b, "language_embedding", n_languages, d_language);
    b.scope("hifi_gan", [&] { hifi_gan(c, b, d + d_language + d_speaker, {.kernels = {11, 8, 8, 4, 4}, .rates = {5, 4, 4, 2, 2}}); });
  });
}

template <bool second>
BackboneOutput backbone(Config c, Builder& b) {
  const bool whole = b.architecture().head == Head::none;
  const bool hears = whole || holds(b.architecture().name, "ForSpeech"), reads = whole || holds(b.architecture().name, "ForText");
  const bool speaks = whole || holds(b.architecture().name, "ToSpeech");
  const Expr vocab = c.integer("vocab_size", 256102), d = c.integer("hidden_size", 1024);
  Stack encoder, decoder = decoder_fields(c, d, {24, 8192, 16});
  if (reads) encoder = encoder_fields(c, d, {24, 8192, 16});
  encoder.names = decoder.names = names;
  const bool tied = c.flag("tie_word_embeddings", true);

  const Tensor words = embedding(b, "shared", vocab, d, TensorRole::token_embedding);
  const auto text = [&](Text name, const Stack& s) {
    b.scope(name, [&] {
      if (tied)
        b.part(Part::embedding, [&] { b.tied("embed_tokens.weight", words); });
      else
        embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
      stack(b, s);
    });
  };
  if (reads) text("text_encoder", encoder);
  if (hears) speech_encoder(c, b, d, second);
  text("text_decoder", decoder);
  if (speaks) {
    text_to_unit(c, b, d, second);
    vocoder(c, b);
  }
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

void head(Config c, Builder& b, const BackboneOutput& m) { language_model_head(c, b, m); }

constexpr Architecture classes[] = {{"SeamlessM4TModel", Head::none, ""},
                                    {"SeamlessM4TForSpeechToText", Head::conditional_generation, ""},
                                    {"SeamlessM4TForTextToText", Head::conditional_generation, ""},
                                    {"SeamlessM4TForSpeechToSpeech", Head::other, ""},
                                    {"SeamlessM4TForTextToSpeech", Head::other, ""}};
constexpr Architecture second_classes[] = {{"SeamlessM4Tv2Model", Head::none, ""},
                                           {"SeamlessM4Tv2ForSpeechToText", Head::conditional_generation, ""},
                                           {"SeamlessM4Tv2ForTextToText", Head::conditional_generation, ""},
                                           {"SeamlessM4Tv2ForSpeechToSpeech", Head::other, ""},
                                           {"SeamlessM4Tv2ForTextToSpeech", Head::other, ""}};

}  // namespace

extern const Family seamless_m4t{
    .model_type = "seamless_m4t",
    .summary = "Speech and text translation: any combination of speech and text input and output.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone<false>,
    .head = head,
};
extern const Family seamless_m4t_v2{
    .model_type = "seamless_m4t_v2",
    .summary = "Like SeamlessM4T, with a non-autoregressive unit decoder.",
    .classes = {.listed = second_classes},
    .aliases = aliases,
    .backbone = backbone<true>,
    .head = head,
};

}  // namespace param_ledger
