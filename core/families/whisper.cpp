// Whisper: a spectrogram encoder and a text decoder like BART's, but pre-norm and without key biases.
// Source: transformers, models/whisper.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_key_value_heads", "encoder_attention_heads"},
                             {"num_attention_heads", "encoder_attention_heads"},
                             {"hidden_size", "d_model"},
                             {"num_hidden_layers", "encoder_layers"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 51865), d = c.integer("d_model", 384);
  Expr heard;
  if (b.architecture().head != Head::causal_lm) {
    const Expr bins = c.integer("num_mel_bins", 80), positions = c.integer("max_source_positions", 1500);
    const Stack encoder = encoder_fields(c, d, {4, 1536, 6});
    heard = positions;
    b.tower(Tower::audio, "encoder", [&] { whisper_encoder(b, encoder, bins, positions); });
  }
  if (b.architecture().head == Head::audio_classification) return {.hidden = d};
  const Expr positions = c.integer("max_target_positions", 448);
  Stack decoder = decoder_fields(c, d, {4, 1536, 6});
  decoder.key_bias = false;
  decoder.encoder_length = heard;
  Tensor words;
  b.scope("decoder", [&] {
    words = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
    embedding(b, "embed_positions", positions, d, TensorRole::position_embedding);
    stack_layers(b, decoder);
    layer_norm(b, "layer_norm", d);
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true, .language_model = "proj_out"};
}

/// Records the head. For audio classification it first projects to the width classifier_proj_size.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::audio_classification) return decoder_head(c, b, m);
  const Expr width = c.integer("classifier_proj_size", 256);
  b.part(Part::output_head, [&] {
    if (c.flag("use_weighted_layer_sum", false)) b.parameter("layer_weights", {c.integer("encoder_layers", 4) + 1});
    linear(b, "projector", m.hidden, width, true);
    linear(b, "classifier", width, num_labels(c), true);
  });
}

constexpr Architecture listener[] = {{"WhisperForAudioClassification", Head::audio_classification, ""}};

}  // namespace

extern const Family whisper{
    .model_type = "whisper",
    .summary = "Speech recognition and translation: a spectrogram encoder and a text decoder.",
    .classes = {"Whisper", heads::causal_lm | heads::conditional | heads::base, "model", {}, listener},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
    .cache = caches::encoder_and_decoder,
};

}  // namespace param_ledger
