#include "core/nn/text/encoder_decoder.hpp"

#include "core/builder/blocks.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

Stack encoder_fields(Config c, Expr hidden, const StackDefaults& defaults) {
  const Expr n_layers = c.integer("encoder_layers", defaults.layers), inner = c.integer("encoder_ffn_dim", defaults.inner);
  return {.hidden = hidden, .n_layers = n_layers, .inner = inner, .heads = c.integer("encoder_attention_heads", defaults.heads)};
}

Stack decoder_fields(Config c, Expr hidden, const StackDefaults& defaults) {
  const Expr n_layers = c.integer("decoder_layers", defaults.layers), inner = c.integer("decoder_ffn_dim", defaults.inner);
  const Expr heads = c.integer("decoder_attention_heads", defaults.heads);
  return {.hidden = hidden, .n_layers = n_layers, .inner = inner, .heads = heads, .cross_attention = true};
}

namespace {

void attention_of(Builder& b, Text name, const Stack& s, Expr memory, bool is_cross_attention) {
  attention(b, name,
            {.hidden = s.hidden,
             .heads = s.heads,
             .even_share = s.even_share,
             .memory = memory,
             .qkv_bias = s.attention_bias,
             .key_bias = s.key_bias,
             .output_bias = s.attention_bias,
             .q = s.names.q,
             .k = s.names.k,
             .v = s.names.v,
             .o = s.names.o,
             .is_cross_attention = is_cross_attention,
             .encoder_length = s.encoder_length});
}

}  // namespace

void stack_layers(Builder& b, const Stack& s) {
  b.repeat("layers", all(s.n_layers), [&] {
    attention_of(b, "self_attn", s, {}, false);
    norm(b, s.norm, "self_attn_layer_norm", s.hidden);
    if (s.cross_attention) {
      attention_of(b, s.names.cross, s, s.memory, true);
      norm(b, s.norm, s.names.cross_norm, s.hidden);
    }
    if (s.feed_forward) mlp(b, "", s.hidden, s.inner, s.mlp_bias, s.names.up, s.names.down);
    norm(b, s.norm, s.names.last_norm, s.hidden);
  });
}

void stack_table(Builder& b, Tensor shared, bool tied) {
  const std::span<const Expr> shape = b.row(shared).shape;
  if (tied)
    b.part(Part::embedding, [&] { b.tied("embed_tokens.weight", shared); });
  else
    embedding(b, "embed_tokens", shape.front(), shape.back(), TensorRole::token_embedding);
}

void whisper_encoder(Builder& b, Stack s, Expr mel_bins, Expr positions) {
  s.key_bias = false;
  const Expr kernel = b.pool().literal(3);
  b.part(Part::embedding, [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    convolution(b, "conv1", mel_bins, s.hidden, {kernel});
    convolution(b, "conv2", s.hidden, s.hidden, {kernel});
  });
  embedding(b, "embed_positions", positions, s.hidden, TensorRole::position_embedding);
  record_block(b, {Mechanism::sinusoidal_positions}, "embed_positions");
  stack_layers(b, s);
  layer_norm(b, "layer_norm", s.hidden);
}

}  // namespace param_ledger
