// SpeechT5: one encoder and one decoder for speech and text. Each has a pre-net for speech and one for text, and the decoder also has a
// post-net for each. A class has only those of these nets that it needs. Source: transformers, models/speecht5.

#include "core/nn/audio/hifi_gan.hpp"
#include "core/nn/audio/wav2vec2.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"}};
constexpr StackNames names{.up = "feed_forward.intermediate_dense", .down = "feed_forward.output_dense"};
constexpr Architecture classes[] = {{"SpeechT5ForSpeechToText", Head::conditional_generation, "speecht5"},
                                    {"SpeechT5Model", Head::none, ""},
                                    {"SpeechT5ForTextToSpeech", Head::other, "speecht5"},
                                    {"SpeechT5ForSpeechToSpeech", Head::other, "speecht5"}};

bool hears(const Builder& b) { return holds(b.architecture().name, "ForSpeech"); }
bool reads(const Builder& b) { return holds(b.architecture().name, "ForText"); }
bool speaks(const Builder& b) { return b.architecture().head == Head::other; }

void waveform_prenet(Config c, Builder& b, Expr d) {
  const Expr kernel = c.integer("num_conv_pos_embeddings", 128), groups = c.integer("num_conv_pos_embedding_groups", 16, 1);
  const Expr width = waveform_convolutions(c, b, {.name = "feature_encoder"});
  b.scope(Part::embedding, "feature_projection", [&] {
    layer_norm(b, "layer_norm", width);
    linear(b, "projection", width, d, true);
  });
  if (has_masked_spec_embed(c)) b.part(Part::embedding, [&] { b.parameter("masked_spec_embed", {d}); });
  b.scope("pos_conv_embed", [&] { positional_convolution(b, d, kernel, groups); });
}

/// Records the learned scale of the positions, which are added to the input.
void scaled_positions(Builder& b, Expr d) {
  require_multiple(d, b.pool().literal(2));
  b.part(Part::embedding, [&] { b.parameter("encode_positions.alpha", {}); });
}

void spectrogram_prenet(Config c, Builder& b, Expr d, Expr bins) {
  const Expr n_layers = c.integer("speech_decoder_prenet_layers", 2), units = c.integer("speech_decoder_prenet_units", 256),
             speaker = c.integer("speaker_embedding_dim", 512);
  b.part(Part::embedding, [&] {
    b.repeat("layers", first(c.literal(1), n_layers), [&] { linear(b, "", bins, units, true); });
    b.repeat("layers", between(c.literal(1), n_layers), [&] { linear(b, "", units, units, true); });
    linear(b, "final_layer", units, d, true);
    scaled_positions(b, d);
    linear(b, "speaker_embeds_layer", speaker + d, d, true);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 81), d = c.integer("hidden_size", 768);
  const Stack encoder = encoder_fields(c, d, {12, 3072, 12});
  Stack decoder = decoder_fields(c, d, {6, 3072, 12});
  decoder.names = names;
  const Expr reach = c.integer("encoder_max_relative_position", 160), bins = speaks(b) ? c.integer("num_mel_bins", 80) : Expr{};

  b.scope("encoder", [&] {
    b.scope("prenet", [&] {
      if (hears(b)) waveform_prenet(c, b, d);
      if (!reads(b)) return;
      embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
      scaled_positions(b, d);
    });
    b.scope("wrapped_encoder", [&] {
      layer_norm(b, "layer_norm", d);
      b.repeat("layers", all(encoder.n_layers), [&] {
        attention(b, "attention", {.hidden = d, .heads = encoder.heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
        layer_norm(b, "layer_norm", d);
        mlp(b, "feed_forward", d, encoder.inner, true, "intermediate_dense", "output_dense");
        layer_norm(b, "final_layer_norm", d);
      });
      b.part(Part::attention, [&] { table(b, "embed_positions.pe_k", 2 * reach, floor_divide(d, encoder.heads)); });
    });
  });
  BackboneOutput out{.hidden = d, .vocabulary = vocab, .tie_by_default = true, .language_model = "text_decoder_postnet.lm_head"};
  b.scope("decoder", [&] {
    b.scope("prenet", [&] {
      if (b.architecture().head == Head::conditional_generation)
        out.embedding = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
      if (speaks(b)) spectrogram_prenet(c, b, d, bins);
    });
    b.scope("wrapped_decoder", [&] { stack_layers(b, decoder); });
  });
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (!speaks(b)) return decoder_head(c, b, m);
  const Expr bins = c.integer("num_mel_bins", 80), reduction = c.integer("reduction_factor", 2);
  b.scope(Part::output_head, "speech_decoder_postnet", [&] {
    linear(b, "feat_out", m.hidden, bins * reduction, true);
    linear(b, "prob_out", m.hidden, reduction, true);
    refining_convolutions(c, b, bins);
  });
}

}  // namespace

extern const Family speecht5{
    .model_type = "speecht5",
    .summary = "Speech recognition, synthesis and voice conversion with one encoder-decoder.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
