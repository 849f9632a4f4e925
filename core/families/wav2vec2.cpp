// wav2vec 2.0 and other speech encoders with mostly the same tensors. Each model type is described by a Wav2Vec2Type. Source: transformers,
// models/wav2vec2, hubert, wavlm, unispeech, unispeech_sat, data2vec.

#include "core/nn/audio/wav2vec2.hpp"

#include "core/nn/heads.hpp"

namespace param_ledger {

namespace {

constexpr Wav2Vec2Type wav2vec2_itself{};
constexpr Wav2Vec2Type hubert_type{.adapter = false, .hubert = true};
constexpr Wav2Vec2Type wavlm_type{.attention_adapters = false, .relative = true};
constexpr Wav2Vec2Type unispeech_type{.adapter = false};
constexpr Wav2Vec2Type unispeech_sat_type{.adapter = false, .always_masked = true};
constexpr Wav2Vec2Type data2vec_type{.all_normed = true, .stacked_positions = true, .attention_adapters = false};

void wav2vec2_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::pretraining) return pretraining_head(c, b);
  speech_head(c, b, m);
}

/// Records UniSpeech's head. In pre-training it predicts quantized features of masked positions, and phonemes.
void unispeech_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::pretraining) return speech_head(c, b, m);
  const Expr shared = c.integer("proj_codevector_dim", 256), classes = c.integer("num_ctc_classes", 80);
  b.part(Part::output_head, [&] {
    const Expr codes = gumbel_quantizer(c, b, c.dimensions("conv_dim", {512, 512, 512, 512, 512, 512, 512}).back());
    linear(b, "project_q", codes, shared, true);
    linear(b, "project_hid", shared, m.hidden, true);
    linear(b, "ctc_proj", m.hidden, classes, true);
  });
}

/// Records UniSpeech-SAT's head. In pre-training it predicts clusters of features, and the speaker.
void unispeech_sat_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::pretraining) return speech_head(c, b, m);
  const Expr shared = c.integer("proj_codevector_dim", 256), clusters = c.integer("num_clusters", 504);
  b.part(Part::output_head, [&] {
    const Expr codes = gumbel_quantizer(c, b, m.hidden);
    linear(b, "project_q", codes, shared, true);
    linear(b, "project_hid", m.hidden, shared, true);
    linear(b, "speaker_proj", m.hidden, codes, true);
    b.parameter("label_embeddings_concat", {clusters, codes}, StorageKind::table);
    layer_norm(b, "layer_norm_for_extract", m.hidden);
  });
}

constexpr unsigned plain = heads::ctc | heads::base | heads::sequence;

}  // namespace

extern const Family data2vec_audio{
    .model_type = "data2vec-audio",
    .summary = "Like wav2vec 2.0, pretrained by self-distillation.",
    .classes = {"Data2VecAudio", heads::speech, "data2vec_audio"},
    .backbone = wav2vec2_of_type<data2vec_type>,
    .head = speech_head,
};
extern const Family hubert{
    .model_type = "hubert",
    .summary = "Like wav2vec 2.0, pretrained on clustered hidden units.",
    .classes = {"Hubert", plain, "hubert"},
    .backbone = wav2vec2_of_type<hubert_type>,
    .head = speech_head,
};
extern const Family unispeech{
    .model_type = "unispeech",
    .summary = "Like wav2vec 2.0, pretrained with phoneme labels.",
    .classes = {"UniSpeech", plain | heads::pretraining, "unispeech"},
    .backbone = wav2vec2_of_type<unispeech_type>,
    .head = unispeech_head,
};
extern const Family unispeech_sat{
    .model_type = "unispeech-sat",
    .summary = "Like wav2vec 2.0, with speaker-aware pretraining.",
    .classes = {"UniSpeechSat", heads::speech | heads::pretraining, "unispeech_sat"},
    .backbone = wav2vec2_of_type<unispeech_sat_type>,
    .head = unispeech_sat_head,
};
extern const Family wav2vec2{
    .model_type = "wav2vec2",
    .summary = "Self-supervised speech encoder: convolutions on the waveform and a transformer.",
    .classes = {"Wav2Vec2", heads::speech | heads::pretraining, "wav2vec2"},
    .backbone = wav2vec2_of_type<wav2vec2_itself>,
    .head = wav2vec2_head,
};
extern const Family wavlm{
    .model_type = "wavlm",
    .summary = "Like wav2vec 2.0, with gated relative position bias.",
    .classes = {"WavLM", heads::speech, "wavlm"},
    .backbone = wav2vec2_of_type<wavlm_type>,
    .head = speech_head,
};

}  // namespace param_ledger
