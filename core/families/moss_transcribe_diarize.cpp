// MOSS-Transcribe-Diarize: Whisper's encoder, with frames concatenated and projected to the text model.
// Source: transformers, models/moss_transcribe_diarize.

#include "core/nn/audio/audio.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput audio_backbone(Config c, Builder& b) { return renamed_whisper_tower(c, b, {80, 1024, 24, 16, 4096}); }
constexpr Family audio_model{
    .aliases = renamed_whisper_tower_aliases,
    .backbone = audio_backbone,
};

/// The Qwen3 that transformers builds if text_config is missing.
constexpr LlamaType unnamed_text{.sizes = {1024, 3072, 28, 151936, 16},
                                 .kv_heads = fixed(8),
                                 .head_dim = fixed(128),
                                 .layout = {.attention = {.head_norms = QkNorm::per_head}}};
extern const Family unnamed{
    .model_type = "qwen3",
    .backbone = of_type<unnamed_text>,
    .cache = caches::switched(4096),
};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr joined = c.integer("audio_merge_size", 4);
  const bool bias = c.flag("projector_bias", true);

  BackboneOutput tower;
  b.tower(Tower::audio, "audio_tower", [&] { tower = nested(c.section("audio_config"), b, "", audio_model); });
  BackboneOutput out = nested_auto_or(c, "text_config", b, "language_model", "qwen3", unnamed);
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", tower.hidden * joined, out.hidden, bias);
    linear(b, "linear_2", out.hidden, out.hidden, bias);
    layer_norm(b, "norm", out.hidden);
  });
  out.tie_by_default = true;
  return out;
}

constexpr Architecture audio_classes[] = {{"MossTranscribeDiarizeAudioModel", Head::none, ""}};

}  // namespace

extern const Family moss_transcribe_diarize{
    .model_type = "moss_transcribe_diarize",
    .summary = "Speech recognition with speaker diarization: Whisper's encoder and a language model.",
    .classes = {"MossTranscribeDiarize", heads::conditional | heads::base},
    .backbone = backbone,
    .cache = caches::switched(4096),
};

extern const Family moss_transcribe_diarize_audio{
    .model_type = "moss_transcribe_diarize_audio",
    .summary = "Whisper encoder of MOSS-Transcribe-Diarize.",
    .classes = {.listed = audio_classes},
    .aliases = renamed_whisper_tower_aliases,
    .backbone = audio_backbone,
};

}  // namespace param_ledger
