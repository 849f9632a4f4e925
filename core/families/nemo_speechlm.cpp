// Nemotron 3.5 Transcribe: encoders for speech recognition and diarization in parallel, a Nemotron-H as text model, and a module for word
// timestamps. Files of the model with a head have NeMo's module names.
// Source: transformers, models/nemotron3_5_transcribe, conversion_mapping.py.

#include "core/nn/audio/nemotron_audio.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/nemotron_h.hpp"

namespace param_ledger {

namespace {

constexpr NemotronDefaults unsaid_text{2688, 1856, 2, 64, 128, 6, 1856, 3712, "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"};

/// The module names, which differ between files of the bare model and of the model with a head.
struct Names {
  Text audio, speaker_norm, text, projector, words;
  NemotronAudioNames timing;
  NemotronNames decoder;
  DiarizationNames diarization;
};

constexpr NemotronAudioNames with(NemotronAudioNames names, Text transformer, Text upsampler) {
  names.transformer = transformer;
  names.upsampler = upsampler;
  return names;
}

/// The names in files of the bare model. Most are transformers' names, but inside the audio encoders and the Mamba-2 mixers they are
/// NeMo's.
constexpr Names bare_names{
    .audio = "audio_tower",
    .speaker_norm = "speaker_norm",
    .text = "language_model",
    .projector = "multi_modal_projector",
    .words = "word_timestamp_encoder",
    .timing = nemo_audio,
    .decoder = {.scalars = "_fp32_params"},
    .diarization = {
        .audio_tower = "model.audio_tower", .projection = "model.proj", .upsampler = "model.upsampler.conv", .audio = nemo_audio}};
constexpr Names whole_names{.audio = "perception.encoder",
                            .speaker_norm = "diar_norm",
                            .text = "llm.model",
                            .projector = "perception.proj",
                            .words = "ctc_timestamp.decoder",
                            .timing = with(nemo_audio, "transformer", "upsample"),
                            .decoder = {.embeddings = "embed_tokens", .last_norm = "norm", .scalars = "_fp32_params"},
                            .diarization = {.audio_tower = "encoder",
                                            .projection = "sortformer_modules.encoder_proj",
                                            .upsampler = "sortformer_modules.subpixel_upsample",
                                            .dense = "sortformer_modules.first_hidden_to_hidden",
                                            .speakers = "sortformer_modules.single_hidden_to_spks",
                                            .silence = "sortformer_modules.learnable_sil_emb",
                                            .audio = nemo_audio}};

/// Records the encoders for speech recognition and for speaker diarization. Returns the width of the former.
Expr perception(Config c, Builder& b, const Names& names) {
  Config asr = c.section("asr_config"), speakers = c.section("diarization_config");
  c.consume("model_type");
  asr.consume("model_type");
  require_type(speakers, "nemotron3_diarization");
  speakers.consume("model_type");
  Expr d;
  b.tower(Tower::audio, names.audio, [&] {
    b.scope("asr_encoder", [&] { d = nemotron_audio(asr, b, asr_audio, nemo_audio).hidden; });
    b.scope("diarization_model", [&] { diarization_head(speakers, b, diarization(speakers, b, names.diarization), names.diarization); });
    layer_norm(b, "asr_norm", d);
    layer_norm(b, names.speaker_norm, speakers.section("head_config").integer("num_speakers", 8, 1));
  });
  require_equal(asr.integer("subsampling_factor", 8), speakers.section("audio_config").integer("subsampling_factor", 8));
  return d;
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool whole = b.architecture().head != Head::none;
  const Names& names = whole ? whole_names : bare_names;
  const Expr heard = perception(c.section("audio_config"), b, names);
  Config text = c.section("text_config"), words = c.section("word_timestamp_config");
  require_type(text, "nemotron_h");
  text.consume("model_type");
  words.consume("model_type");
  BackboneOutput out;
  b.scope(names.text, [&] {
    out =
        nemotron_h_backbone(text.with(nemotron_h_aliases), b, is_given(c, "text_config") ? NemotronDefaults{} : unsaid_text, names.decoder);
  });
  b.tower(Tower::projector, "", [&] { linear(b, names.projector, heard, out.hidden, true); });
  b.tower(Tower::audio, names.words, [&] {
    const Expr d = nemotron_audio(words, b, word_timing_audio, names.timing).hidden, vocab = words.integer("vocab_size", 23863, 1);
    if (whole) b.part(Part::output_head, [&] { conv1d(b, "decoder_layers.0", d, vocab, 1); });
  });
  return out;
}

/// Records the head, which is never tied.
void head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  b.part(Part::output_head, [&] { linear(b, "llm.lm_head", m.hidden, m.vocabulary); });
}

constexpr Architecture classes[] = {{"Nemotron3_5TranscribeForConditionalGeneration", Head::conditional_generation, ""},
                                    {"Nemotron3_5TranscribeModel", Head::none, ""}};

}  // namespace

extern const Family nemo_speechlm{
    .model_type = "nemo_speechlm",
    .summary = "Nemotron 3.5 Transcribe: speech recognition with speaker diarization and word timestamps.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
