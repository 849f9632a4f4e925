// Nemotron 3's audio encoders: a transformer with RoPE on stacked spectrogram frames or, for word timestamps, on upsampled hidden states.
// There are model types for the encoders of speech recognition and word timestamps (both with QK-Norm) and of diarization, for the whole
// diarization model, and for the encoders of speech recognition and diarization in parallel. Source: transformers,
// models/nemotron3_diarization, nemotron3_5_transcribe.

#include "core/nn/audio/nemotron_audio.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/nested.hpp"

namespace param_ledger {

extern const Family nemotron3_5_transcribe_asr_audio, nemotron3_diarization;

namespace {

template <const NemotronAudioType& type>
BackboneOutput backbone(Config c, Builder& b) {
  return nemotron_audio(c, b, type);
}

BackboneOutput diarization_backbone(Config c, Builder& b) { return diarization(c, b); }

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::frame_classification) diarization_head(c, b, m, {});
}

/// Records parallel encoders for recognition and diarization.
BackboneOutput audio_backbone(Config c, Builder& b) {
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
    .summary = "Speech recognition encoder of Nemotron 3.5 Transcribe.",
    .classes = {.listed = asr_classes},
    .backbone = backbone<asr_audio>,
};
extern const Family nemotron3_5_transcribe_audio{
    .model_type = "nemotron3_5_transcribe_audio",
    .summary = "Speech recognition and speaker diarization encoders of Nemotron 3.5 Transcribe.",
    .classes = {.listed = audio_classes},
    .backbone = audio_backbone,
};
extern const Family nemotron3_5_transcribe_word_timestamp{
    .model_type = "nemotron3_5_transcribe_word_timestamp",
    .summary = "Word-level forced alignment for Nemotron 3.5 Transcribe.",
    .classes = {.listed = words_classes},
    .backbone = backbone<word_timing_audio>,
};
extern const Family nemotron3_diarization{
    .model_type = "nemotron3_diarization",
    .summary = "Speaker diarization: who speaks when.",
    .classes = {"Nemotron3Diarization", heads::base | heads::frames},
    .backbone = diarization_backbone,
    .head = head,
};
extern const Family nemotron3_diarization_audio{
    .model_type = "nemotron3_diarization_audio",
    .summary = "Audio encoder of Nemotron 3's speaker diarization.",
    .classes = {.listed = diarization_audio_classes},
    .backbone = backbone<diarization_audio>,
};

}  // namespace param_ledger
