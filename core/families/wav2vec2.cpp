// wav2vec 2.0, and the types that have its tensors but for a few: a row each.
// Source: transformers, models/wav2vec2, hubert, wavlm, unispeech, unispeech_sat, data2vec.

#include "core/blocks/wav2vec2.hpp"

#include "core/families.hpp"
#include "core/heads.hpp"

namespace param_ledger {

namespace {

constexpr Wav2Vec2Type wav2vec2_itself{};
constexpr Wav2Vec2Type hubert_type{.adapter = false, .hubert = true};
constexpr Wav2Vec2Type wavlm_type{.attention_adapters = false, .relative = true};
constexpr Wav2Vec2Type unispeech_type{.adapter = false};
constexpr Wav2Vec2Type unispeech_sat_type{.adapter = false, .always_masked = true};
constexpr Wav2Vec2Type data2vec_type{.all_normed = true, .stacked_positions = true, .attention_adapters = false};

/// Pre-training tells which of the quantized features belongs where some are hidden.
void wav2vec2_head(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head != Head::pretraining) return speech_head(c, b, m);
  b.part(Part::output_head, [&] {
    const Expr codes = gumbel_quantizer(c, b, c.dimensions("conv_dim", {512, 512, 512, 512, 512, 512, 512}).back());
    const Expr shared = c.integer("proj_codevector_dim", 256);
    linear(b, "project_hid", m.hidden, shared, true);
    linear(b, "project_q", codes, shared, true);
  });
}

constexpr unsigned plain = heads::ctc | heads::base | heads::sequence;

}  // namespace

const Family data2vec_audio{"data2vec-audio",
                            "As wav2vec 2.0, with several convolutions for positions.",
                            {"Data2VecAudio", heads::speech, "data2vec_audio"},
                            {},
                            wav2vec2_of_type<data2vec_type>,
                            speech_head};
const Family hubert{"hubert", "As wav2vec 2.0, trained otherwise.", {"Hubert", plain, "hubert"},
                    {},       wav2vec2_of_type<hubert_type>,        speech_head};
const Family unispeech{"unispeech", "As wav2vec 2.0, trained otherwise.", {"UniSpeech", plain, "unispeech"},
                       {},          wav2vec2_of_type<unispeech_type>,     speech_head};
const Family unispeech_sat{"unispeech-sat",
                           "As wav2vec 2.0, trained to tell speakers.",
                           {"UniSpeechSat", heads::speech, "unispeech_sat"},
                           {},
                           wav2vec2_of_type<unispeech_sat_type>,
                           speech_head};
const Family wav2vec2{"wav2vec2",
                      "Convolutions over the waveform and a transformer, to hear speech.",
                      {"Wav2Vec2", heads::speech | heads::pretraining, "wav2vec2"},
                      {},
                      wav2vec2_of_type<wav2vec2_itself>,
                      wav2vec2_head};
const Family wavlm{"wavlm",
                   "As wav2vec 2.0, with gated biases of relative positions.",
                   {"WavLM", heads::speech, "wavlm"},
                   {},
                   wav2vec2_of_type<wavlm_type>,
                   speech_head};

}  // namespace param_ledger
