#include "core/blocks/encoder_decoder.hpp"

#include "core/blocks/feed_forward.hpp"

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

void attend(Builder& b, std::string_view name, const Stack& s, Expr source) {
  const StackNames& p = s.names;
  b.scope(Part::attention, name, [&] {
    linear(b, p.k, source, s.hidden, s.attention_bias && s.key_bias);
    linear(b, p.v, source, s.hidden, s.attention_bias);
    linear(b, p.q, s.hidden, s.hidden, s.attention_bias);
    linear(b, p.o, s.hidden, s.hidden, s.attention_bias);
  });
}

}  // namespace

void stack_layers(Builder& b, const Stack& s) {
  b.repeat("layers", all(s.n_layers), [&] {
    require_positive(s.hidden);
    require_multiple(s.hidden, s.heads);
    attend(b, "self_attn", s, s.hidden);
    layer_norm(b, "self_attn_layer_norm", s.hidden);
    if (s.cross_attention) {
      attend(b, s.names.cross, s, s.memory ? s.memory : s.hidden);
      layer_norm(b, s.names.cross_norm, s.hidden);
    }
    mlp(b, "", s.hidden, s.inner, true, s.names.up, s.names.down);
    layer_norm(b, s.names.last_norm, s.hidden);
  });
}

void whisper_encoder(Builder& b, Stack s, Expr mel_bins, Expr positions) {
  s.key_bias = false;
  const Expr kernel = b.pool().literal(3);
  convolution(b, "conv1", mel_bins, s.hidden, {kernel});
  convolution(b, "conv2", s.hidden, s.hidden, {kernel});
  embedding(b, "embed_positions", positions, s.hidden);
  stack_layers(b, s);
  layer_norm(b, "layer_norm", s.hidden);
}

}  // namespace param_ledger
