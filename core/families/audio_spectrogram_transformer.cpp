// Audio spectrogram transformer: DeiT on patches of a spectrogram, which overlap by default.
// Source: transformers, models/audio_spectrogram_transformer.

#include "core/nn/heads.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VitType type{{768, 3072, 12, 12, 0, 16}, {.more = "distillation_token", .positions = false}, qkv_bias};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr patch = c.integer("patch_size", 16), bands = c.integer("num_mel_bins", 128), frames = c.integer("max_length", 1024);
  const Expr band_stride = c.integer("frequency_stride", 10, 1), frame_stride = c.integer("time_stride", 10, 1);
  Vit m = vit_fields(c, type);
  m.channels = c.literal(1);
  const BackboneOutput out = vit_model(c, b, m);
  const auto places = [&](Expr size, Expr stride) {
    if (size.decide() < patch.decide()) c.refuse(ErrorCode::out_of_range, "patch_size", "must not be larger than the spectrogram.");
    return floor_divide(size - patch, stride) + 1;
  };
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "position_embeddings", places(bands, band_stride) * places(frames, frame_stride) + 2, out.hidden,
           TensorRole::position_embedding);
  });
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::audio_classification) return;
  layer_norm(b, "classifier.layernorm", m.hidden);
  classifier(c, b, "classifier.dense", m.hidden);
}

}  // namespace

extern const Family audio_spectrogram_transformer{
    .model_type = "audio-spectrogram-transformer",
    .summary = "Audio classification: DeiT on spectrograms.",
    .classes = {"AST", heads::base | heads::audio, "audio_spectrogram_transformer"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
