// Qwen3-ASR: a spectrogram encoder and a Qwen3 that transcribes speech.
// Source: transformers, models/qwen3_asr.

#include "core/nn/audio/audio.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr WhisperDefaults sizes{128, 1024, 24, 16, 4096};
constexpr std::uint64_t output_by_default = 3584;

BackboneOutput encoder(Config c, Builder& b) { return {.hidden = qwen3_audio(c, b, sizes).hidden}; }

constexpr LlamaType unnamed_text{.sizes = {2048, 6144, 28, 151936, 16},
                                 .kv_heads = fixed(8),
                                 .head_dim = fixed(128),
                                 .layout = {.attention = {.head_norms = QkNorm::per_head}}};
extern const Family unnamed_qwen3_asr_text{
    .model_type = "qwen3",
    .backbone = of_type<unnamed_text>,
    .cache = caches::switched(4096),
};

BackboneOutput backbone(Config c, Builder& b) {
  Config audio = c.section("audio_config");
  const BackboneOutput tower = nested_tower(audio, b, Tower::audio, "audio_tower", {"qwen3_asr_encoder"});
  const Expr out_audio = audio.integer("output_dim", output_by_default);
  BackboneOutput out = nested_auto_or(c, "text_config", b, "language_model", "qwen3", unnamed_qwen3_asr_text);
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", tower.hidden, tower.hidden, true);
    linear(b, "linear_2", tower.hidden, out_audio, true);
  });
  out.tie_by_default = true;
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::token_classification) return decoder_head(c, b, m);
  const Expr labels = num_labels(c);
  b.part(Part::output_head, [&] { linear(b, "score", m.hidden, labels, c.flag("token_classification_bias", false)); });
}

constexpr Architecture encoder_classes[] = {{"Qwen3ASREncoder", Head::none, ""}};

}  // namespace

extern const Family qwen3_asr{
    .model_type = "qwen3_asr",
    .summary = "Speech recognition: an audio encoder in front of Qwen3.",
    .classes = {"Qwen3ASR", heads::conditional | heads::base | heads::token},
    .backbone = backbone,
    .head = head,
};
extern const Family qwen3_asr_encoder{
    .model_type = "qwen3_asr_encoder",
    .summary = "Audio encoder of Qwen3-ASR.",
    .classes = {.listed = encoder_classes},
    .aliases = whisper_tower_aliases,
    .backbone = encoder,
};

}  // namespace param_ledger
