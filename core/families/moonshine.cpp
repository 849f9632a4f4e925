// Moonshine: three convolutions and a group norm on the waveform, then an encoder and a decoder with RoPE and with layer norms without
// biases. Source: transformers, models/moonshine.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_key_value_heads", "decoder_num_key_value_heads"},
                             {"num_attention_heads", "decoder_num_attention_heads"},
                             {"num_hidden_layers", "decoder_num_hidden_layers"}};

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
      for (const Text name : {"input_layernorm", "post_attention_layernorm"}) rms_norm(b, name, d);
    });
    rms_norm(b, "layer_norm", d);
  });
  Tensor words;
  b.scope("decoder", [&] {
    words = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
    b.repeat("layers", all(n_decoder), [&] {
      attention_of("self_attn", decoder, false);
      attention_of("encoder_attn", decoder, true);
      b.scope(Part::feed_forward, "mlp", [&] {
        linear(b, "fc1", d, 2 * f, true, TensorRole::gate_and_up);
        linear(b, "fc2", f, d, true, TensorRole::down);
      });
      for (const Text name : {"input_layernorm", "post_attention_layernorm", "final_layernorm"}) rms_norm(b, name, d);
    });
    rms_norm(b, "norm", d);
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true, .language_model = "proj_out"};
}

}  // namespace

extern const Family moonshine{
    .model_type = "moonshine",
    .summary = "Speech recognition from the waveform: an encoder-decoder with RoPE.",
    .classes = {"Moonshine", heads::conditional | heads::base},
    .aliases = aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
