#include "core/nn/audio/audio.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

BackboneOutput tower(Config c, Builder& b, const WhisperDefaults& defaults, std::span<const Text, 4> names) {
  const Expr bins = c.integer("num_mel_bins", defaults.bins), d = c.integer(names[0], defaults.hidden);
  const Expr n_layers = c.integer(names[1], defaults.layers), n = c.integer(names[2], defaults.heads);
  const Expr f = c.integer(names[3], defaults.inner), positions = c.integer("max_source_positions", defaults.positions);
  whisper_encoder(b, {.hidden = d, .n_layers = n_layers, .inner = f, .heads = n}, bins, positions);
  return {.hidden = d};
}

}  // namespace

BackboneOutput whisper_tower(Config c, Builder& b, const WhisperDefaults& defaults) {
  static constexpr Text names[] = {"d_model", "encoder_layers", "encoder_attention_heads", "encoder_ffn_dim"};
  return tower(c, b, defaults, names);
}

BackboneOutput renamed_whisper_tower(Config c, Builder& b, const WhisperDefaults& defaults) {
  static constexpr Text names[] = {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"};
  return tower(c, b, defaults, names);
}

void audio_convolutions(Builder& b, Expr bins, Expr hidden) {
  b.part(Part::embedding, [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    conv1d(b, "conv1", bins, hidden, 3);
    conv1d(b, "conv2", hidden, hidden, 3);
  });
}

QwenAudio qwen_audio_fields(Config c, const WhisperDefaults& defaults) {
  const Expr bins = c.integer("num_mel_bins", defaults.bins), d = c.integer("d_model", defaults.hidden);
  const Expr n_layers = c.integer("encoder_layers", defaults.layers), n = c.integer("encoder_attention_heads", defaults.heads);
  require_multiple(d, c.literal(2));
  return {bins, d, n_layers, n, c.integer("encoder_ffn_dim", defaults.inner)};
}

void qwen_audio_layers(Builder& b, const QwenAudio& m, bool key_bias) {
  stack_layers(b, {.hidden = m.hidden, .n_layers = m.layers, .inner = m.inner, .heads = m.heads, .key_bias = key_bias});
  layer_norm(b, "ln_post", m.hidden);
}

QwenAudio qwen3_audio(Config c, Builder& b, const WhisperDefaults& defaults) {
  const QwenAudio m = qwen_audio_fields(c, defaults);
  const Expr channels = c.integer("downsample_hidden_size", 480), two = c.literal(2);
  b.part(Part::embedding, [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    conv2d(b, "conv2d1", c.literal(1), channels, 3);
    conv2d(b, "conv2d2", channels, channels, 3);
    conv2d(b, "conv2d3", channels, channels, 3);
    linear(b, "conv_out", channels * ceil_divide(ceil_divide(ceil_divide(m.bins, two), two), two), m.hidden);
  });
  qwen_audio_layers(b, m, true);
  return m;
}

BackboneOutput never_tied(Builder& b, BackboneOutput m) {
  m.vocabulary = b.row(m.embedding).shape.front();
  m.embedding = {};
  m.language_model = "language_model.lm_head";
  return m;
}

}  // namespace param_ledger
