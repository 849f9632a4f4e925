// FastSpeech 2 with conformer layers: a text encoder, predictors of duration, pitch and energy, a decoder, and convolutions that refine the
// spectrogram. HiFi-GAN is an optional vocoder. Also SpeechT5's vocoder. Source: transformers, models/fastspeech2_conformer, speecht5.

#include "core/nn/audio/hifi_gan.hpp"
#include "core/nn/audio/wav2vec2_conformer.hpp"
#include "core/nn/nested.hpp"

namespace param_ledger {

extern const Family fastspeech2_conformer, fastspeech2_conformer_hifigan;

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "encoder_layers"}, {"num_attention_heads", "encoder_num_attention_heads"}};

Expr odd(Config c, Text field, std::uint64_t fallback) {
  const Expr out = c.integer(field, fallback);
  if (out.decide() % 2 == 0) c.refuse(ErrorCode::out_of_range, field, "must be odd.");
  return out;
}

/// The sizes that encoder and decoder have in common.
struct ConformerSizes {
  Expr d, point_kernel;
  bool macaron, convolution, convolution_bias;
};

/// The sizes of the encoder or the decoder, from the fields that begin with encoder_ or decoder_. Some files have them in a section, which
/// takes precedence.
struct ConformerStack {
  Expr n_layers, n, f, kernel;
  bool concatenates;
};
ConformerStack stack_fields(Config c, Expr d, Text prefix, std::uint64_t kernel) {
  static const Text names[2][5] = {
      {"encoder_layers", "encoder_num_attention_heads", "encoder_linear_units", "encoder_kernel_size", "encoder_concat_after"},
      {"decoder_layers", "decoder_num_attention_heads", "decoder_linear_units", "decoder_kernel_size", "decoder_concat_after"}};
  const Text* const own = names[prefix == "encoder" ? 0 : 1];
  ConformerStack m{.n_layers = c.integer(own[0], 4),
                   .n = c.integer(own[1], 2, 1),
                   .f = c.integer(own[2], 1536),
                   .kernel = odd(c, own[3], kernel),
                   .concatenates = c.flag(own[4], false)};
  require_multiple(d, m.n);
  const Text section = prefix == "encoder" ? "encoder_config" : "decoder_config";
  const Json given = c.peek(section);
  if (!given) return m;
  if (!given.is(Json::Type::object)) c.refuse(ErrorCode::wrong_type, section, "must be an object.");
  Config inner = c.section(section);
  return {.n_layers = inner.integer("layers", required(4)),
          .n = inner.integer("num_attention_heads", required(2), 1),
          .f = inner.integer("linear_units", required(1536)),
          .kernel = inner.integer("kernel_size", required(7)),
          .concatenates = inner.flag("concat_after", false)};
}

void layers(Builder& b, const ConformerSizes& m, const ConformerStack& s) {
  const Expr d = m.d;
  const auto feed_forward = [&](Text name) {
    b.scope(Part::feed_forward, name, [&] {
      conv1d(b, "conv1", d, s.f, m.point_kernel);
      conv1d(b, "conv2", s.f, d, m.point_kernel);
    });
  };
  b.repeat("conformer_layers", all(s.n_layers), [&] {
    speech_attention(b, {.hidden = d, .inner = s.f, .heads = s.n, .kernel = {}, .relative = true});
    feed_forward("feed_forward");
    if (m.macaron) {
      feed_forward("feed_forward_macaron");
      layer_norm(b, "ff_macaron_layer_norm", d);
    }
    if (m.convolution) {
      b.scope(Part::convolution, "conv_module", [&] {
        conv1d(b, "pointwise_conv1", d, 2 * d, 1, m.convolution_bias);
        depthwise_conv1d(b, "depthwise_conv", d, s.kernel, m.convolution_bias);
        batch_norm(b, "norm", d);
        conv1d(b, "pointwise_conv2", d, d, 1, m.convolution_bias);
      });
      layer_norm(b, "conv_layer_norm", d);
      layer_norm(b, "final_layer_norm", d);
    }
    layer_norm(b, "ff_layer_norm", d);
    layer_norm(b, "self_attn_layer_norm", d);
    if (s.concatenates) b.part(Part::attention, [&] { linear(b, "concat_linear", 2 * d, d, true); });
  });
}

/// The sizes of a predictor, which gives one value per phoneme: its duration, pitch or energy.
struct Predictor {
  Expr n_layers, width, kernel;
};
void predictor(Builder& b, Text name, const Predictor& m, Expr d) {
  const Expr one = b.pool().literal(1);
  b.scope(Part::adapter, name, [&] {
    const auto layer = [&](Expr in) {
      conv1d(b, "conv", in, m.width, m.kernel);
      layer_norm(b, "layer_norm", m.width);
    };
    b.repeat("conv_layers", first(one, m.n_layers), [&] { layer(d); });
    b.repeat("conv_layers", between(one, m.n_layers), [&] { layer(m.width); });
    linear(b, "linear", m.width, one, true);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  for (const Alias& alias : aliases)
    if (c.json[alias.alias] && !c.json[alias.field])
      c.refuse(ErrorCode::inconsistent, alias.field,
               "must be given under this name: transformers configures the encoder before it reads the other.", Refused::early_alias);
  const Expr vocab = c.integer("vocab_size", 78), d = c.integer("hidden_size", 384), bins = c.integer("num_mel_bins", 80);
  const ConformerSizes m{.d = d,
                         .point_kernel = odd(c, "positionwise_conv_kernel_size", 3),
                         .macaron = c.flag("use_macaron_style_in_conformer", true),
                         .convolution = c.flag("use_cnn_in_conformer", true),
                         .convolution_bias = c.flag("convolution_bias", true)};
  const ConformerStack encoder = stack_fields(c, d, "encoder", 7), decoder = stack_fields(c, d, "decoder", 31);
  const Predictor durations{c.integer("duration_predictor_layers", 2), c.integer("duration_predictor_channels", 256),
                            odd(c, "duration_predictor_kernel_size", 3)};
  const Predictor pitches{c.integer("pitch_predictor_layers", 5), c.integer("pitch_predictor_channels", 256),
                          odd(c, "pitch_predictor_kernel_size", 5)};
  const Predictor energies{c.integer("energy_predictor_layers", 2), c.integer("energy_predictor_channels", 256),
                           odd(c, "energy_predictor_kernel_size", 3)};
  const Expr pitch_kernel = odd(c, "pitch_embed_kernel_size", 1), energy_kernel = odd(c, "energy_embed_kernel_size", 1), one = c.literal(1);
  const auto languages = c.optional_integer("num_languages"), speakers = c.optional_integer("num_speakers"),
             d_speaker = c.optional_integer("speaker_embed_dim");

  if (languages && languages->decide() > 1) embedding(b, "language_id_embedding", *languages, d);
  if (speakers && speakers->decide() > 1) embedding(b, "speaker_id_embedding", *speakers, d);
  if (d_speaker && d_speaker->decide() > 0) b.part(Part::embedding, [&] { linear(b, "projection", d + *d_speaker, d, true); });
  b.scope("encoder", [&] {
    embedding(b, "embed", vocab, d, TensorRole::token_embedding);
    layers(b, m, encoder);
  });
  predictor(b, "duration_predictor", durations, d);
  predictor(b, "pitch_predictor", pitches, d);
  b.part(Part::embedding, [&] { conv1d(b, "pitch_embed.conv", one, d, pitch_kernel); });
  predictor(b, "energy_predictor", energies, d);
  b.part(Part::embedding, [&] { conv1d(b, "energy_embed.conv", one, d, energy_kernel); });
  b.scope("decoder", [&] { layers(b, m, decoder); });
  b.scope(Part::output_head, "speech_decoder_postnet", [&] {
    linear(b, "feat_out", d, bins * c.integer("reduction_factor", 1), true);
    refining_convolutions(c, b, bins);
  });
  return {.hidden = d};
}

/// The vocoders of FastSpeech 2 and SpeechT5. They also store statistics that normalise the input.
constexpr HifiGan vocoder_type{.kernels = {16, 16, 4, 4}, .rates = {8, 8, 2, 2}, .null_dilations = true};
constexpr HifiGan speecht5_type{.kernels = {8, 8, 8, 8}, .rates = {4, 4, 4, 4}};
template <const HifiGan& type>
BackboneOutput vocoder(Config c, Builder& b) {
  const Expr bins = c.integer("model_in_dim", 80);
  hifi_gan(c, b, bins, type);
  b.part(Part::convolution, [&] {
    for (const Text name : {"mean", "scale"}) b.buffer(name, {bins});
  });
  return {.hidden = bins};
}

BackboneOutput audible_backbone(Config c, Builder& b) {
  const BackboneOutput out = nested(c.section("model_config"), b, "model", fastspeech2_conformer);
  b.tower(Tower::audio, "vocoder", [&] { nested(c.section("vocoder_config"), b, "", fastspeech2_conformer_hifigan); });
  return out;
}

constexpr Architecture classes[] = {{"FastSpeech2ConformerModel", Head::none, ""}},
                       audible_classes[] = {{"FastSpeech2ConformerWithHifiGan", Head::none, ""}},
                       vocoder_classes[] = {{"FastSpeech2ConformerHifiGan", Head::none, ""}},
                       speecht5_classes[] = {{"SpeechT5HifiGan", Head::none, ""}};

}  // namespace

extern const Family fastspeech2_conformer{
    .model_type = "fastspeech2_conformer",
    .summary = "Text-to-speech (spectrograms): non-autoregressive conformers with pitch and energy predictors.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
};
extern const Family fastspeech2_conformer_hifigan{
    .model_type = "fastspeech2_conformer_hifigan",
    .summary = "HiFi-GAN vocoder of FastSpeech2Conformer.",
    .classes = {.listed = vocoder_classes},
    .backbone = vocoder<vocoder_type>,
};
extern const Family fastspeech2_conformer_with_hifigan{
    .model_type = "fastspeech2_conformer_with_hifigan",
    .summary = "Text-to-speech: FastSpeech 2 with conformer layers, and a HiFi-GAN vocoder.",
    .classes = {.listed = audible_classes},
    .backbone = audible_backbone,
};
extern const Family speecht5_hifigan{
    .model_type = "speecht5_hifigan",
    .summary = "HiFi-GAN vocoder of SpeechT5.",
    .classes = {.listed = speecht5_classes},
    .backbone = vocoder<speecht5_type>,
};

}  // namespace param_ledger
