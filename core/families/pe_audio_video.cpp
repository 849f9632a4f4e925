// The Perception Encoder for audio and video together, and models that compare the outputs of the Perception Encoders for audio, for video
// or for both with those of a text encoder, ModernBERT.
// Source: transformers, models/pe_audio, pe_video, pe_audio_video.

#include "core/nn/audio/pe_encoder.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/modernbert.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

extern const Family pe_audio_encoder, pe_video_encoder;

namespace {

/// A range of rows in the builder to which another model's tensors are tied.
struct Rows {
  std::size_t first, end;
  Text below;  ///< a prefix of these rows' names that the tied model's names lack
};
void share(Builder& b, const Rows& rows) {
  for (std::size_t i = rows.first; i < rows.end; ++i) {
    const Row row = b.rows()[i];
    const std::string_view name = row.name;
    b.tied_like(row, std::string(name.substr(std::string_view(rows.below).size())));
  }
}

/// Records the joint encoder of audio and video. `audio` and `video`: the rows of the separate encoders to which the parts of this encoder
/// are tied, or null to record these parts.
BackboneOutput both(Config c, Builder& b, const Rows* audio, const Rows* video) {
  return pe_encoder(c, b, [&](Expr d) {
    Config hearing = c.section("audio_config"), seeing = c.section("video_config");
    require_type(hearing, "pe_audio_encoder");
    require_type(seeing, "pe_video_encoder");
    const Expr heard = hearing.integer("hidden_size", 1792), seen = seeing.integer("hidden_size", 1792);
    const auto one_of = [&](Tower tower, Text name, Config section, const Family& family, const Rows* rows) {
      b.tower(tower, rows == nullptr ? name : "", [&] {
        if (rows != nullptr)
          share(b, *rows);
        else
          nested(section, b, "", family);
      });
    };
    one_of(Tower::audio, "audio_encoder", hearing, pe_audio_encoder, audio);
    one_of(Tower::vision, "video_encoder", seeing, pe_video_encoder, video);
    b.tower(Tower::projector, "", [&] {
      conv1d(b, "video_proj", seen, heard, 1);
      layer_norm(b, "video_norm", heard);
      linear(b, "concat_modality_proj", heard + seen, d, true);
      linear(b, "data_proj", d, d, true);
    });
  });
}
BackboneOutput both_encoder(Config c, Builder& b) { return both(c, b, nullptr, nullptr); }

BackboneOutput text_model(Config c, Builder& b) {
  require_type(c, "modernbert");
  BackboneOutput out;
  b.scope("text_model", [&] { out = modernbert_layers(c, b, {1024, 2624, 22, 50368, 16}); });
  return out;
}

/// Records a contrastive head: a norm and a matrix.
void contrast(Builder& b, Text name, Expr in, Expr out) {
  b.tower(Tower::projector, name, [&] {
    layer_norm(b, "layer_norm", in);
    linear(b, "proj", in, out);
  });
}
void scale_and_bias(Builder& b, Text name) {
  const Expr one = b.pool().literal(1);
  b.tower(Tower::projector, "", [&] {
    b.parameter(concat({name, "_logit_scale"}), {one});
    b.parameter(concat({name, "_logit_bias"}), {one});
  });
}

/// Records a model that compares audio (`hears`) or video with text: both encoders and the contrastive heads. `shared`: the rows of a text
/// model to tie to, or null to record a text model. `rows`: if not null, receives the rows of the audio or video encoder. Returns that
/// encoder's width.
Expr beside_text(Config text, Config section, Builder& b, bool hears, const Rows* shared, Rows* rows) {
  Expr read = text.integer("hidden_size", 1024);
  if (shared != nullptr)
    share(b, *shared);
  else
    read = text_model(text, b).hidden;
  Expr width;
  const std::size_t first = b.rows().size();
  b.tower(hears ? Tower::audio : Tower::vision, hears ? "audio_encoder" : "video_encoder",
          [&] { width = nested(section, b, "", hears ? pe_audio_encoder : pe_video_encoder).hidden; });
  if (rows != nullptr) *rows = {first, b.rows().size(), hears ? "audio_model." : "video_model."};
  contrast(b, hears ? "text_audio_head" : "text_video_head", read, read);
  contrast(b, hears ? "audio_head" : "video_head", width, read);
  scale_and_bias(b, hears ? "text_audio" : "text_video");
  return width;
}

template <bool hears>
BackboneOutput backbone(Config c, Builder& b) {
  Config section = c.section(hears ? "audio_config" : "video_config");
  return {.hidden = beside_text(c.section("text_config"), section, b, hears, nullptr, nullptr)};
}

BackboneOutput all_senses(Config c, Builder& b) {
  Config text = c.section("text_config"), section = c.section("audio_video_config");
  section.consume("model_type");
  const bool tied = c.flag("tie_word_embeddings", true);
  const std::size_t first = b.rows().size();
  const Expr read = text_model(text, b).hidden;
  const Rows words{first, b.rows().size(), ""};
  Rows sounds{}, films{};
  Expr heard, seen;
  b.scope("audio_model", [&] { heard = beside_text(text, section.section("audio_config"), b, true, tied ? &words : nullptr, &sounds); });
  b.scope("video_model", [&] { seen = beside_text(text, section.section("video_config"), b, false, tied ? &words : nullptr, &films); });
  Expr width;
  b.scope("audio_video_encoder", [&] { width = both(section, b, tied ? &sounds : nullptr, tied ? &films : nullptr).hidden; });
  contrast(b, "audio_video_head", width, read);
  contrast(b, "text_audio_video_head", read, read);
  contrast(b, "audio_plus_text_head", read + heard, read);
  contrast(b, "video_plus_text_head", read + seen, read);
  for (const Text name : {"audio_video", "text_audio_video", "audio_plus_text", "video_plus_text"}) scale_and_bias(b, name);
  return {.hidden = width};
}

constexpr Architecture audio_classes[] = {{"PeAudioModel", Head::none, ""}};
constexpr Architecture video_classes[] = {{"PeVideoModel", Head::none, ""}};
constexpr Architecture both_classes[] = {{"PeAudioVideoModel", Head::none, ""}};
constexpr Architecture both_encoder_classes[] = {{"PeAudioVideoEncoder", Head::none, ""}};

}  // namespace

extern const Family pe_audio{
    .model_type = "pe_audio",
    .summary = "Contrastive audio-text model: PE-AV's audio encoder and ModernBERT.",
    .classes = {.listed = audio_classes},
    .backbone = backbone<true>,
};
extern const Family pe_audio_video{
    .model_type = "pe_audio_video",
    .summary = "Contrastive audio-video-text model: PE-AV and ModernBERT.",
    .classes = {.listed = both_classes},
    .backbone = all_senses,
};
extern const Family pe_audio_video_encoder{
    .model_type = "pe_audio_video_encoder",
    .summary = "Joint audio-video encoder of PE-AV (Perception Encoder).",
    .classes = {.listed = both_encoder_classes},
    .backbone = both_encoder,
};
extern const Family pe_video{
    .model_type = "pe_video",
    .summary = "Contrastive video-text model: PE-AV's video encoder and ModernBERT.",
    .classes = {.listed = video_classes},
    .backbone = backbone<false>,
};

}  // namespace param_ledger
