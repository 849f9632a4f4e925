// Nemotron 3's hearing: frames of a spectrogram stacked, and a transformer with rotary positions; for recognition with norms on heads, for
// telling who speaks when, and for telling when each word is said.
// Source: transformers, models/nemotron3_diarization, nemotron3_5_transcribe.

#include "core/blocks/feed_forward.hpp"
#include "core/nested.hpp"

namespace param_ledger {

extern const Family nemotron3_5_transcribe_asr_audio, nemotron3_diarization, nemotron3_diarization_audio;

namespace {

/// What a type says of its own.
struct HearingType {
  std::uint64_t hidden, inner, layers, heads;
  bool head_norms = false;
  bool spectrogram = true;  ///< it hears; else it reads states, made more frequent
};
constexpr HearingType diarization_type{512, 2048, 31, 8}, asr_type{1280, 5120, 32, 10, true}, words_type{1280, 640, 2, 16, true, false};

template <const HearingType& type>
Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", type.hidden), f = c.integer("intermediate_size", type.inner),
             n_layers = c.integer("num_hidden_layers", type.layers), n = c.integer("num_attention_heads", type.heads, 1);
  const Expr n_keys = c.integer("num_key_value_heads", n, 1), h = c.integer("head_dim", attribute.or_else(floor_divide(d, n)));
  require_multiple(d, n);
  b.part(Part::embedding, [&] {
    if (type.spectrogram)
      linear(b, "embedder.projection", c.integer("subsampling_factor", 8) * c.integer("num_mel_bins", 128), d);
    else
      transposed_conv1d(b, "upsampler", d, d, c.integer("upsampling_factor", 2, 1));
  });
  layer_norm(b, "input_layer_norm", d);
  b.repeat("layers", all(n_layers), [&] {
    require_positive(h);
    b.scope(Part::attention, "self_attn", [&] {
      linear(b, "q_proj", d, n * h, false, Does::query);
      linear(b, "k_proj", d, n_keys * h, false, Does::key);
      linear(b, "v_proj", d, n * h, false, Does::value);  // as many heads as queries have, whatever keys have
      linear(b, "o_proj", n * h, d, true, Does::output);
      if (type.head_norms)
        for (const Text name : {"q_norm", "k_norm"}) layer_norm(b, name, h);
    });
    layer_norm(b, "layer_norm1", d);
    mlp(b, "mlp", d, f, true, "fc1", "fc2");
    layer_norm(b, "layer_norm2", d);
  });
  layer_norm(b, "layer_norm", d);
  return {.hidden = d};
}

/// Who speaks when: brought to a narrower width, at the rate before the stacking.
Backbone diarization_backbone(Config c, Builder& b) {
  Config audio = c.section("audio_config"), own = c.section("head_config");
  const Expr d = own.integer("hidden_size", 192, 1), in = own.integer("audio_hidden_size", 512, 1),
             factor = own.integer("subsampling_factor", 8, 1);
  b.tower(Part::audio, "audio_tower", [&] { require_equal(in, nested(audio, b, "", nemotron3_diarization_audio).hidden); });
  require_equal(factor, audio.integer("subsampling_factor", 8));
  b.part(Part::projector, [&] {
    linear(b, "proj", in, d, true);
    conv1d(b, "upsampler.conv", d, d * factor, 3);
  });
  return {.hidden = d};
}

void diarization_head(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head != Head::frame_classification) return;
  Config own = c.section("head_config");
  b.part(Part::output_head, [&] {
    linear(b, "classifier.dense", m.hidden, m.hidden, true);
    linear(b, "classifier.out_proj", m.hidden, own.integer("num_speakers", 8, 1), true);
    b.parameter("silence_embeds", {own.integer("audio_hidden_size", 512, 1)});
  });
}

/// Recognition and diarization side by side.
Backbone audio_backbone(Config c, Builder& b) {
  Config asr = c.section("asr_config"), diarization = c.section("diarization_config");
  if (&family_of_section(diarization, b, "nemotron3_diarization") != &nemotron3_diarization)
    diarization.refuse(ErrorCode::unsupported, "model_type", "must be nemotron3_diarization.");
  const Expr d = nested(asr, b, "asr_encoder", nemotron3_5_transcribe_asr_audio).hidden;
  nested_with_head(diarization, b, "diarization_model", nemotron3_diarization, Head::frame_classification);
  require_equal(asr.integer("subsampling_factor", 8), diarization.section("audio_config").integer("subsampling_factor", 8));
  layer_norm(b, "asr_norm", d);
  layer_norm(b, "speaker_norm", diarization.section("head_config").integer("num_speakers", 8, 1));
  return {.hidden = d};
}

constexpr Architecture asr_classes[] = {{"Nemotron3_5TranscribeAsrAudioModel", Head::none, ""}},
                       audio_classes[] = {{"Nemotron3_5TranscribeAudioModel", Head::none, ""}},
                       words_classes[] = {{"Nemotron3_5TranscribeWordTimestampModel", Head::none, ""}},
                       diarization_audio_classes[] = {{"Nemotron3DiarizationAudioModel", Head::none, ""}};

}  // namespace

extern const Family nemotron3_5_transcribe_asr_audio{
    .model_type = "nemotron3_5_transcribe_asr_audio",
    .summary = "The recogniser of Nemotron 3.5 Transcribe.",
    .classes = {.listed = asr_classes},
    .backbone = backbone<asr_type>,
};
extern const Family nemotron3_5_transcribe_audio{
    .model_type = "nemotron3_5_transcribe_audio",
    .summary = "Hears what is said, and who speaks.",
    .classes = {.listed = audio_classes},
    .backbone = audio_backbone,
};
extern const Family nemotron3_5_transcribe_word_timestamp{
    .model_type = "nemotron3_5_transcribe_word_timestamp",
    .summary = "Tells when each word is said.",
    .classes = {.listed = words_classes},
    .backbone = backbone<words_type>,
};
extern const Family nemotron3_diarization{
    .model_type = "nemotron3_diarization",
    .summary = "Tells who speaks when.",
    .classes = {"Nemotron3Diarization", heads::base | heads::frames},
    .backbone = diarization_backbone,
    .head = diarization_head,
};
extern const Family nemotron3_diarization_audio{
    .model_type = "nemotron3_diarization_audio",
    .summary = "The transformer that hears for Nemotron 3's diarization.",
    .classes = {.listed = diarization_audio_classes},
    .backbone = backbone<diarization_type>,
};

}  // namespace param_ledger
