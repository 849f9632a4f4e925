// Qwen2-Audio and similar model types: Whisper's encoder, with frames projected to the text model. Source: transformers,
// models/qwen2_audio, audioflamingo3, musicflamingo, voxtral.

#include "core/nn/audio/audio.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

extern const Family audioflamingo3_encoder;

namespace {

constexpr WhisperDefaults large{128, 1280, 32, 20, 5120};

/// Records the projector, two linear layers. The activation between them has no parameters.
void projector(Builder& b, Expr in, Expr out, bool bias) {
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", in, out, bias);
    linear(b, "linear_2", out, out, bias);
  });
}

BackboneOutput old_encoder(Config c, Builder& b) { return whisper_tower(c, b, large); }
BackboneOutput encoder(Config c, Builder& b) { return renamed_whisper_tower(c, b, large); }

BackboneOutput qwen2_backbone(Config c, Builder& b) {
  const BackboneOutput tower = nested_tower(c.section("audio_config"), b, Tower::audio, "audio_tower", {"qwen2_audio_encoder"});
  const BackboneOutput out = nested_auto(c.section("text_config"), b, "language_model.model", "qwen2");
  b.tower(Tower::projector, "", [&] { linear(b, "multi_modal_projector.linear", tower.hidden, out.hidden, true); });
  return never_tied(b, out);
}

BackboneOutput flamingo_backbone(Config c, Builder& b, const BackboneOutput& tower) {
  const bool bias = c.flag("projector_bias", true);
  const BackboneOutput out = nested_auto(c.section("text_config"), b, "language_model.model", "qwen2");
  projector(b, tower.hidden, out.hidden, bias);
  return never_tied(b, out);
}

BackboneOutput audioflamingo_backbone(Config c, Builder& b) {
  return flamingo_backbone(c, b, nested_tower(c.section("audio_config"), b, Tower::audio, "audio_tower", {"audioflamingo3_encoder"}));
}

/// Records Music Flamingo. Files may give its encoder the type musicflamingo_encoder, but the encoder is Audio Flamingo 3's.
BackboneOutput musicflamingo_backbone(Config c, Builder& b) {
  Config audio = c.section("audio_config");
  if (!audio.peek("model_type").is(Json::Type::string) || audio.peek("model_type").string() != "musicflamingo_encoder")
    return audioflamingo_backbone(c, b);
  BackboneOutput tower;
  b.tower(Tower::audio, "audio_tower", [&] { tower = nested(audio, b, "", audioflamingo3_encoder); });
  return flamingo_backbone(c, b, tower);
}

/// The defaults of Voxtral's Llama, with or without text_config.
constexpr LlamaType voxtral_text{.sizes = {3072, 8192, 30, 131072, 32},
                                 .kv_heads = fixed_not_null(8),
                                 .head_dim = fixed_not_null(128),
                                 .switches = both_biases,
                                 .divisible = true};
extern const Family voxtral_llama{
    .model_type = "llama",
    .backbone = of_type<voxtral_text>,
    .cache = caches::all_tokens,
};

BackboneOutput voxtral_backbone(Config c, Builder& b) {
  Config audio = c.section("audio_config"), text = c.section("text_config");
  nested_tower(audio, b, Tower::audio, "audio_tower", {"voxtral_encoder"});
  // Four frames are concatenated. transformers assumes that their total width is the encoder's intermediate_size.
  const Expr joined = audio.integer("intermediate_size", large.inner);
  require_type(text, "llama");
  const BackboneOutput out = nested(text, b, "language_model.model", voxtral_llama);
  projector(b, joined, out.hidden, false);
  return never_tied(b, out);
}

constexpr unsigned classes = heads::conditional | heads::base;
constexpr Architecture qwen2_encoder[] = {{"Qwen2AudioEncoder", Head::none, ""}};
constexpr Architecture flamingo_encoder[] = {{"AudioFlamingo3Encoder", Head::none, ""}};
constexpr Architecture voxtral_encoder_class[] = {{"VoxtralEncoder", Head::none, ""}};

}  // namespace

extern const Family qwen2_audio{
    .model_type = "qwen2_audio",
    .summary = "Audio-language model: Whisper's encoder in front of Qwen2.",
    .classes = {"Qwen2Audio", classes, ""},
    .backbone = qwen2_backbone,
};
extern const Family qwen2_audio_encoder{
    .model_type = "qwen2_audio_encoder",
    .summary = "Whisper encoder of Qwen2-Audio.",
    .classes = {.listed = qwen2_encoder},
    .aliases = whisper_tower_aliases,
    .backbone = old_encoder,
};
extern const Family audioflamingo3{
    .model_type = "audioflamingo3",
    .summary = "Audio-language model: Whisper's encoder and Qwen2 with an MLP projector.",
    .classes = {"AudioFlamingo3", classes, ""},
    .backbone = audioflamingo_backbone,
};
extern const Family audioflamingo3_encoder{
    .model_type = "audioflamingo3_encoder",
    .summary = "Whisper encoder of Audio Flamingo 3.",
    .classes = {.listed = flamingo_encoder},
    .aliases = renamed_whisper_tower_aliases,
    .backbone = encoder,
};
extern const Family musicflamingo{
    .model_type = "musicflamingo",
    .summary = "Music-language model: like Audio Flamingo 3, with rotary time embeddings.",
    .classes = {"MusicFlamingo", classes, ""},
    .backbone = musicflamingo_backbone,
};
extern const Family voxtral{
    .model_type = "voxtral",
    .summary = "Audio-language model: Whisper's encoder and Llama, with four frames per token.",
    .classes = {"Voxtral", classes, ""},
    .backbone = voxtral_backbone,
};
extern const Family voxtral_encoder{
    .model_type = "voxtral_encoder",
    .summary = "Whisper encoder of Voxtral.",
    .classes = {.listed = voxtral_encoder_class},
    .aliases = renamed_whisper_tower_aliases,
    .backbone = encoder,
};

}  // namespace param_ledger
