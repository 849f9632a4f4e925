#include "core/nn/audio/nemotron_audio.hpp"

#include "core/nn/layers.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

BackboneOutput nemotron_audio(Config c, Builder& b, const NemotronAudioType& type, const NemotronAudioNames& names) {
  const Expr d = c.integer("hidden_size", type.hidden), f = c.integer("intermediate_size", type.inner),
             n_layers = c.integer("num_hidden_layers", type.layers), n = c.integer("num_attention_heads", type.heads, 1);
  const Expr n_keys = c.integer("num_key_value_heads", n, 1), h = c.integer("head_dim", attribute.or_else(floor_divide(d, n)));
  require_multiple(d, n);
  if (!type.spectrogram)
    b.part(Part::embedding, [&] { transposed_conv1d(b, names.upsampler, d, d, c.integer("upsampling_factor", 2, 1)); });
  b.scope(names.transformer, [&] {
    if (type.spectrogram)
      b.part(Part::embedding, [&] { linear(b, names.projection, c.integer("subsampling_factor", 8) * c.integer("num_mel_bins", 128), d); });
    layer_norm(b, names.first_norm, d);
    b.repeat("layers", all(n_layers), [&] {
      require_positive(h);
      b.scope(Part::attention, names.attention, [&] {
        const Expr queries = n * h, keys = n_keys * h;
        if (names.fused.empty()) {
          linear(b, "q_proj", d, queries, false, TensorRole::query);
          linear(b, "k_proj", d, keys, false, TensorRole::key);
          linear(b, "v_proj", d, queries, false, TensorRole::value);  // there is a value head for each query head
        } else {
          linear(b, names.fused, d, 2 * queries + keys, false, TensorRole::query_key_value);
        }
        linear(b, names.output, queries, d, true, TensorRole::output);
        if (type.head_norms)
          for (const Text name : {"q_norm", "k_norm"}) layer_norm(b, name, h);
      });
      layer_norm(b, names.norm1, d);
      mlp(b, names.mlp, d, f, true, names.up, names.down);
      layer_norm(b, names.norm2, d);
    });
    layer_norm(b, names.last_norm, d);
  });
  return {.hidden = d};
}

BackboneOutput diarization(Config c, Builder& b, const DiarizationNames& names) {
  Config audio = c.section("audio_config"), own = c.section("head_config");
  audio.consume("model_type");
  const Expr d = own.integer("hidden_size", 192, 1), in = own.integer("audio_hidden_size", 512, 1),
             factor = own.integer("subsampling_factor", 8, 1);
  b.tower(Tower::audio, names.audio_tower, [&] { require_equal(in, nemotron_audio(audio, b, diarization_audio, names.audio).hidden); });
  require_equal(factor, audio.integer("subsampling_factor", 8));
  b.tower(Tower::audio, "", [&] {
    linear(b, names.projection, in, d, true);
    conv1d(b, names.upsampler, d, d * factor, 3);
  });
  return {.hidden = d};
}

void diarization_head(Config c, Builder& b, const BackboneOutput& m, const DiarizationNames& names) {
  Config own = c.section("head_config");
  b.part(Part::output_head, [&] {
    linear(b, names.dense, m.hidden, m.hidden, true);
    linear(b, names.speakers, m.hidden, own.integer("num_speakers", 8, 1), true);
  });
  b.part(Part::embedding, [&] { b.parameter(names.silence, {c.section("audio_config").integer("hidden_size", 512, 1)}); });
}

}  // namespace param_ledger
