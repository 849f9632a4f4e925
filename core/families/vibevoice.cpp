// VibeVoice: acoustic and semantic speech encoders, a text model that reads the outputs of both, a diffusion head that generates audio
// latents, and a decoder that converts these to waveforms. The recogniser has both encoders and writes text. Source: transformers,
// models/vibevoice, vibevoice_asr, vibevoice_acoustic_tokenizer.

#include "core/nn/audio/codec.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The sizes of a codec of ConvNeXt layers, without codebooks.
struct Tokenizer {
  Expr channels, filters, d, kernel, expansion;
  std::vector<Expr> ratios, depths;
};

template <std::uint64_t hidden>
Tokenizer tokenizer_fields(Config c) {
  Tokenizer m{.channels = c.integer("channels", 1),
              .filters = c.integer("num_filters", 32),
              .d = c.integer("hidden_size", hidden),
              .kernel = c.integer("kernel_size", 7, 1),
              .expansion = c.integer("ffn_expansion", 4)};
  m.ratios = c.dimensions("downsampling_ratios", {2, 2, 4, 5, 5, 8});
  m.depths = c.dimensions("depths", {3, 3, 3, 3, 3, 3, 8});
  if (m.depths.size() <= m.ratios.size()) c.refuse(ErrorCode::inconsistent, "depths", "must have one more entry than downsampling_ratios.");
  return m;
}

void layers(Builder& b, const Tokenizer& m, Expr width, Expr depth) {
  b.repeat("stage", all(depth), [&] {
    rms_norm(b, "norm", width);
    rms_norm(b, "ffn_norm", width);
    mlp(b, "ffn", width, m.expansion * width, true, "linear1", "linear2");
    for (const Text name : {"gamma", "ffn_gamma"}) layer_scale(b, name, width);
    depthwise_conv1d(b, "mixer.conv", width, m.kernel, true);
  });
}

void encoder(Builder& b, const Tokenizer& m) {
  b.part(Part::convolution, [&] {
    b.scope("stem", [&] {
      conv1d(b, "conv.conv", m.channels, m.filters, m.kernel);
      layers(b, m, m.filters, m.depths[0]);
    });
    for (std::size_t i = 0; i < m.ratios.size(); ++i)
      b.scope(concat({"conv_layers.", digits(i)}), [&] {
        const Expr out = times_power_of_two(m.filters, i + 1);
        conv1d(b, "conv.conv", times_power_of_two(m.filters, i), out, 2 * m.ratios[i]);
        layers(b, m, out, m.depths[i + 1]);
      });
    conv1d(b, "head.conv", times_power_of_two(m.filters, m.ratios.size()), m.d, m.kernel);
  });
}

void decoder(Builder& b, const Tokenizer& m) {
  const std::size_t n = m.ratios.size(), steps = m.depths.size() - 1;
  b.part(Part::convolution, [&] {
    b.scope("stem", [&] {
      conv1d(b, "conv.conv", m.d, times_power_of_two(m.filters, steps), m.kernel);
      layers(b, m, times_power_of_two(m.filters, steps), m.depths[0]);
    });
    for (std::size_t i = 0; i < n; ++i)
      b.scope(concat({"conv_layers.", digits(i)}), [&] {
        const Expr out = times_power_of_two(m.filters, steps - 1 - i);
        transposed_conv1d(b, "convtr.convtr", times_power_of_two(m.filters, steps - i), out, 2 * m.ratios[n - 1 - i]);
        layers(b, m, out, m.depths[i + 1]);
      });
    conv1d(b, "head.conv", m.filters, m.channels, m.kernel);
  });
}

template <std::uint64_t hidden>
BackboneOutput encoder_backbone(Config c, Builder& b) {
  const Tokenizer m = tokenizer_fields<hidden>(c);
  encoder(b, m);
  return {.hidden = m.d};
}

BackboneOutput decoder_backbone(Config c, Builder& b) {
  const Tokenizer m = tokenizer_fields<64>(c);
  decoder(b, m);
  return {.hidden = m.d};
}

BackboneOutput tokenizer_backbone(Config c, Builder& b) {
  Tokenizer m = tokenizer_fields<64>(c);
  b.scope("encoder", [&] { encoder(b, m); });
  m.depths = {m.depths.rbegin(), m.depths.rend()};
  b.scope("decoder", [&] { decoder(b, m); });
  return {.hidden = m.d};
}

/// The semantic encoder that transformers builds if the configuration has no section for it.
extern const Family unnamed_encoder{
    .model_type = "vibevoice_acoustic_tokenizer_encoder",
    .backbone = encoder_backbone<128>,
};

/// Records the speech encoder, or the encoder and decoder, that `section` describes. Returns the width of the latents. `wider`: whether the
/// default of that width is 128 instead of 64 if `section` is missing or null.
Expr tower(Config c, Builder& b, Text section, Text name, Text type, bool wider = false) {
  const Json given = c.peek(section);
  Config own = c.section(section);
  BackboneOutput out;
  b.tower(Tower::audio, name,
          [&] { out = wider && (!given || given.is_null()) ? nested(own, b, "", unnamed_encoder) : nested_auto(own, b, "", type); });
  return out.hidden;
}

constexpr Text encoder_type = "vibevoice_acoustic_tokenizer_encoder";

void connector(Builder& b, Text name, Expr in, Expr d) {
  b.tower(Tower::projector, name, [&] {
    linear(b, "linear_1", in, d, true);
    rms_norm(b, "act", d);
    linear(b, "linear_2", d, d, true);
  });
}

/// Records the diffusion head, which denoises audio latents, conditioned on the text model's output. `d`: the text model's width. `latent`:
/// the width of the audio latents.
void diffusion_head(Config c, Builder& b, Expr d, Expr latent) {
  c.consume("model_type");
  const Expr f = c.integer("intermediate_size", 4608), n_layers = c.integer("num_hidden_layers", 4),
             d_time = c.integer("frequency_embedding_size", 256);
  const bool bias = c.flag("mlp_bias", false);
  b.scope(Part::output_head, "diffusion_head", [&] {
    linear(b, "noisy_images_proj", latent, d);
    linear(b, "cond_proj", d, d);
    linear(b, "timestep_proj.fc1", d_time, d);
    linear(b, "timestep_proj.fc2", d, d);
    b.repeat("layers", all(n_layers), [&] {
      gated_mlp(b, "ffn", d, f, bias);
      rms_norm(b, "norm", d);
      linear(b, "linear", d, 3 * d);
    });
    linear(b, "final_layer.linear_1", d, 2 * d);
    linear(b, "final_layer.linear_2", d, latent);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr latent = tower(c, b, "audio_config", "audio_tower", "vibevoice_acoustic_tokenizer");
  BackboneOutput out = nested_auto(c.section("text_config"), b, "language_model", "qwen2");
  const Expr d = out.hidden;
  connector(b, "multi_modal_projector", latent, d);
  const Expr meaning = tower(c, b, "semantic_model_config", "semantic_tokenizer_encoder", encoder_type, true);
  connector(b, "semantic_connector", meaning, d);
  diffusion_head(c.section("diffusion_head_config"), b, d, latent);
  b.tower(Tower::projector, "", [&] {
    for (const Text name : {"latent_scaling_factor", "latent_bias_factor"}) b.parameter(name, {});
  });
  return out;
}

/// Records the head. Only the text model's section determines whether it is tied.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::conditional_generation) return;
  language_model_head(b, m, m.embedding && c.section("text_config").flag("tie_word_embeddings", m.tie_by_default));
}

BackboneOutput asr_backbone(Config c, Builder& b) {
  const Expr chunk = c.integer("acoustic_tokenizer_chunk_size", 1440000);
  const Expr sound = tower(c, b, "acoustic_tokenizer_encoder_config", "acoustic_tokenizer_encoder", encoder_type);
  const Expr meaning = tower(c, b, "semantic_tokenizer_encoder_config", "semantic_tokenizer_encoder", encoder_type, true);
  Expr hop = c.literal(1);
  for (const Expr ratio : c.section("acoustic_tokenizer_encoder_config").dimensions("downsampling_ratios", {2, 2, 4, 5, 5, 8}))
    hop = hop * ratio;
  require_multiple(chunk, hop);
  BackboneOutput out = nested_auto(c.section("text_config"), b, "language_model.model", "qwen2");
  const Expr d = out.hidden;
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    for (const Text name : {"acoustic", "semantic"}) {
      linear(b, concat({name, "_linear_1"}), name == "acoustic" ? sound : meaning, d, true);
      rms_norm(b, concat({name, "_norm"}), d);
      linear(b, concat({name, "_linear_2"}), d, d, true);
    }
  });
  out.language_model = "language_model.lm_head";
  return out;
}

/// Records the recogniser's head, which is never tied.
void asr_head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::conditional_generation) language_model_head(b, m, false);
}

constexpr Architecture encoders[] = {{"VibeVoiceAcousticTokenizerEncoderModel", Head::none, ""}},
                       decoders[] = {{"VibeVoiceAcousticTokenizerDecoderModel", Head::none, ""}},
                       tokenizers[] = {{"VibeVoiceAcousticTokenizerModel", Head::none, ""}};

}  // namespace

extern const Family vibevoice{
    .model_type = "vibevoice",
    .summary = "Long-form text-to-speech: a language model with a diffusion head and acoustic tokenizer.",
    .classes = {"VibeVoice", heads::conditional | heads::base},
    .backbone = backbone,
    .head = head,
    .cache = caches::of_text_model,
};
extern const Family vibevoice_acoustic_tokenizer{
    .model_type = "vibevoice_acoustic_tokenizer",
    .summary = "Speech autoencoder of ConvNeXt blocks, with continuous latents.",
    .classes = {.listed = tokenizers},
    .backbone = tokenizer_backbone,
};
extern const Family vibevoice_acoustic_tokenizer_decoder{
    .model_type = "vibevoice_acoustic_tokenizer_decoder",
    .summary = "Decoder of VibeVoice's acoustic tokenizer.",
    .classes = {.listed = decoders},
    .backbone = decoder_backbone,
};
extern const Family vibevoice_acoustic_tokenizer_encoder{
    .model_type = "vibevoice_acoustic_tokenizer_encoder",
    .summary = "Encoder of VibeVoice's acoustic tokenizer.",
    .classes = {.listed = encoders},
    .backbone = encoder_backbone<64>,
};
extern const Family vibevoice_asr{
    .model_type = "vibevoice_asr",
    .summary = "Speech recognition: acoustic and semantic encoders in front of a language model.",
    .classes = {"VibeVoiceAsr", heads::conditional | heads::base, ""},
    .backbone = asr_backbone,
    .head = asr_head,
    .cache = caches::of_text_model,
};

}  // namespace param_ledger
