// Moonshine: three convolutions and a group norm on the waveform, then an encoder and a decoder with RoPE and with layer norms without
// biases. Moonshine Streaming: two convolutions on frames of the waveform, then an encoder without positions; the decoder adds learned
// positions to the encoder's output. Source: transformers, models/moonshine, moonshine_streaming.

#include <cmath>

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_key_value_heads", "decoder_num_key_value_heads"},
                             {"num_attention_heads", "decoder_num_attention_heads"},
                             {"num_hidden_layers", "decoder_num_hidden_layers"}};

/// Records the decoder's embedding table, layers and final norm. `attention_of(name, is_cross_attention)` records an attention block.
template <class AttentionOf>
Tensor text_decoder(Builder& b, Expr vocab, Expr d, Expr f, Expr n_layers, const AttentionOf& attention_of) {
  const Tensor words = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] {
    unbiased_layer_norm(b, "input_layernorm", d);
    attention_of("self_attn", false);
    unbiased_layer_norm(b, "post_attention_layernorm", d);
    attention_of("encoder_attn", true);
    unbiased_layer_norm(b, "final_layernorm", d);
    fused_gated_mlp(b, "mlp", d, f, true, "fc1", "fc2");
  });
  unbiased_layer_norm(b, "norm", d);
  return words;
}

/// The numbers of query heads and key-value heads in the encoder or in the decoder.
struct Heads {
  Expr n, n_kv;
};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 32768), d = c.integer("hidden_size", 288), f = c.integer("intermediate_size", 1152);
  const Expr n_encoder = c.integer("encoder_num_hidden_layers", 6), n_decoder = c.integer("decoder_num_hidden_layers", 6);
  const Expr heads_in = c.integer("encoder_num_attention_heads", 8), heads_out = c.integer("decoder_num_attention_heads", 8);
  const Heads encoder{heads_in, c.integer("encoder_num_key_value_heads", heads_in)};
  Heads decoder{heads_out, c.integer("decoder_num_key_value_heads", heads_out)};
  // In transformers, the encoder's layers write their numbers of heads into the configuration, from which the decoder then reads them.
  if (n_encoder.decide() > 0) decoder = encoder;
  const bool bias = c.flag("attention_bias", false);
  const auto attention_of = [&](Text name, const Heads& heads, bool is_cross_attention) {
    const Expr h = c.integer("head_dim", attribute.or_else(floor_divide(d, heads.n)));
    attention(
        b, name,
        {.hidden = d, .heads = heads.n, .kv_heads = heads.n_kv, .head_dim = h, .qkv_bias = bias, .is_cross_attention = is_cross_attention});
  };

  b.tower(Tower::audio, "encoder", [&] {
    b.part(Part::embedding, [&] {
      const InBlock block(b, {Mechanism::convolutional_stem});
      conv1d(b, "conv1", c.literal(1), d, 127, false);
      conv1d(b, "conv2", d, 2 * d, 7);
      conv1d(b, "conv3", 2 * d, d, 3);
      group_norm(b, "groupnorm", d);
    });
    b.repeat("layers", all(n_encoder), [&] {
      attention_of("self_attn", encoder, false);
      mlp(b, "mlp", d, f, true, "fc1", "fc2");
      for (const Text name : {"input_layernorm", "post_attention_layernorm"}) unbiased_layer_norm(b, name, d);
    });
    unbiased_layer_norm(b, "layer_norm", d);
  });
  Tensor words;
  b.scope("decoder", [&] {
    words = text_decoder(b, vocab, d, f, n_decoder, [&](Text name, bool is_cross) { attention_of(name, decoder, is_cross); });
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true, .language_model = "proj_out"};
}

/// The number of samples in a frame: sample_rate × frame_ms ÷ 1000, rounded to the nearest integer. Halves are rounded to even.
Expr frame_length(Config c) {
  const Expr rate = c.integer("sample_rate", 16000);
  const double samples = static_cast<double>(rate.decide()) * c.number("frame_ms", 5.0) / 1000;
  constexpr double least = -0.5;  // rounded to 0
  constexpr double most = 1e15;   // well below 2^53, where doubles stop representing every integer
  if (!(samples >= least) || !(samples <= most)) c.refuse(ErrorCode::out_of_range, "frame_ms", "must be a number of at least 0, e.g. 5.0.");
  return c.count("frame_length", "N_f", "Samples in a frame: sample_rate × frame_ms ÷ 1000, rounded.",
                 static_cast<std::uint64_t>(std::nearbyint(samples)));
}

/// Records a layer norm without bias, whose weight is 1 + `gamma`.
void gamma_norm(Builder& b, Text name, Expr width) {
  b.part(Part::norm, [&] {
    const InBlock block(b, {Mechanism::unbiased_layer_norm});
    b.scope(name, [&] { b.parameter("gamma", {width}); });
  });
}

/// Records the encoder, without a name prefix. Returns its width.
Expr streaming_encoder(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 320), f = c.integer("intermediate_size", 1280), n_layers = c.integer("num_hidden_layers", 6);
  const Expr n = c.integer("num_attention_heads", fixed(8), 1, Refused::no_heads), n_kv = c.integer("num_key_value_heads", 8);
  const bool bias = c.flag("attention_bias", false);
  const Expr frame = frame_length(c), h = c.integer("head_dim", floor_divide(d, n));
  b.scope(Part::embedding, "embedder", [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    b.parameter("comp.log_k", {});
    linear(b, "linear", frame, d);
    conv1d(b, "conv1", d, 2 * d, 5);
    conv1d(b, "conv2", 2 * d, d, 5);
  });
  b.repeat("layers", all(n_layers), [&] {
    gamma_norm(b, "input_layernorm", d);
    attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
    gamma_norm(b, "post_attention_layernorm", d);
    mlp(b, "mlp", d, f, true, "fc1", "fc2");
  });
  gamma_norm(b, "final_norm", d);
  return d;
}

BackboneOutput streaming_backbone(Config c, Builder& b) {
  Expr heard;
  b.tower(Tower::audio, "encoder", [&] { heard = streaming_encoder(c.section("encoder_config"), b); });
  const Expr vocab = c.integer("vocab_size", 32768), d = c.integer("hidden_size", 320), f = c.integer("intermediate_size", 1280);
  const Expr n_layers = c.integer("num_hidden_layers", 6), n = c.integer("num_attention_heads", fixed(8), 1, Refused::no_heads);
  const Expr n_kv = c.integer("num_key_value_heads", required(8));  // undeclared in transformers, which fails without it
  const Expr positions = c.integer("max_position_embeddings", 4096);
  const bool bias = c.flag("attention_bias", false);
  const Expr h = c.integer("head_dim", floor_divide(d, n));
  Tensor words;
  b.scope("decoder", [&] {
    b.tower(Tower::projector, "", [&] {
      embedding(b, "pos_emb", positions, heard, TensorRole::position_embedding);
      if (!equal(heard, d)) linear(b, "proj", heard, d);
    });
    words = text_decoder(b, vocab, d, f, n_layers, [&](Text name, bool is_cross) {
      attention(b, name, {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .is_cross_attention = is_cross});
    });
  });
  return {.hidden = d, .embedding = words, .language_model = "proj_out"};
}

}  // namespace

extern const Family moonshine{
    .model_type = "moonshine",
    .summary = "Speech recognition from the waveform: an encoder-decoder with RoPE.",
    .classes = {"Moonshine", heads::conditional | heads::base},
    .aliases = aliases,
    .backbone = backbone,
};
extern const Family moonshine_streaming{
    .model_type = "moonshine_streaming",
    .summary = "Speech recognition while the audio arrives: an encoder with limited look-ahead and a decoder with RoPE.",
    .classes = {"MoonshineStreaming", heads::conditional | heads::base},
    .backbone = streaming_backbone,
};

}  // namespace param_ledger
