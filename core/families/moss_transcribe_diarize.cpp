// MOSS-Transcribe-Diarize: Whisper's encoder, whose frames are joined and projected into the tokens of a text model.
// Source: transformers, models/moss_transcribe_diarize.

#include "core/blocks/encoder_decoder.hpp"
#include "core/decoders.hpp"
#include "core/nested.hpp"

namespace param_ledger {

namespace {

constexpr Alias audio_aliases[] = {{"d_model", "hidden_size"},
                                   {"encoder_layers", "num_hidden_layers"},
                                   {"encoder_attention_heads", "num_attention_heads"},
                                   {"encoder_ffn_dim", "intermediate_size"}};

/// The audio model. Returns its width.
Expr audio_tower(Config c, Builder& b) {
  c.consume("model_type");
  const Expr bins = c.integer("num_mel_bins", 80), d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 4096);
  const Expr n_layers = c.integer("num_hidden_layers", 24), n = c.integer("num_attention_heads", 16);
  const Expr positions = c.integer("max_source_positions", 1500);
  b.tower(Part::audio, "audio_tower",
          [&] { whisper_encoder(b, {.hidden = d, .n_layers = n_layers, .inner = f, .heads = n}, bins, positions); });
  return d;
}

/// The Qwen3 that is meant where there is no text_config.
constexpr LlamaType unnamed_text{.sizes = {1024, 3072, 28, 151936, 16},
                                 .kv_heads = fixed(8),
                                 .head_dim = fixed(128),
                                 .layout = {.attention = {.head_norms = HeadNorms::per_head}}};
extern const Family unnamed{
    .model_type = "qwen3",
    .backbone = of_type<unnamed_text>,
    .cache = caches::switched(4096),
};

Backbone backbone(Config c, Builder& b) {
  const Json given = c.peek("text_config");
  Config text = c.section("text_config"), audio = c.section("audio_config").with(audio_aliases);
  const Expr joined = c.integer("audio_merge_size", 4);
  const bool bias = c.flag("projector_bias", true);

  const Expr d_audio = audio_tower(audio, b);
  Backbone out = given && !given.is_null() ? nested_auto(text, b, "language_model", "qwen3") : nested(text, b, "language_model", unnamed);
  b.scope(Part::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", d_audio * joined, out.hidden, bias);
    linear(b, "linear_2", out.hidden, out.hidden, bias);
    layer_norm(b, "norm", out.hidden);
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family moss_transcribe_diarize{
    .model_type = "moss_transcribe_diarize",
    .summary = "Whisper's encoder before a text model, to transcribe speech and tell who speaks.",
    .classes = {"MossTranscribeDiarize", heads::conditional | heads::base},
    .backbone = backbone,
    .cache = caches::switched(4096),
};

}  // namespace param_ledger
