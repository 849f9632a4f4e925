#include "core/nn/text/decoders.hpp"

#include "core/config/constraints.hpp"

namespace param_ledger {

DecoderSizes decoder_sizes(Config c, const DecoderDefaults& defaults) {
  const Expr d = c.integer("hidden_size", defaults.hidden);
  const Expr f = defaults.inner > 0 ? c.integer("intermediate_size", defaults.inner) : Expr{};
  const Expr n_layers = c.integer("num_hidden_layers", defaults.layers), vocab = c.integer("vocab_size", defaults.vocabulary);
  return {d, f, n_layers, vocab, c.integer("num_attention_heads", defaults.heads, 1, Refused::no_heads)};
}

namespace {

void feed_forward(Builder& b, const LlamaDecoder& m) {
  const Expr d = m.attention.hidden;
  switch (m.feed_forward) {
    case FeedForward::gated: gated_mlp(b, "mlp", d, m.inner, m.mlp_bias); break;
    case FeedForward::gated_fused: fused_gated_mlp(b, "mlp", d, m.inner, m.mlp_bias, m.up.empty() ? "gate_up_proj" : m.up, m.down); break;
    case FeedForward::plain: mlp(b, "mlp", d, m.inner, m.mlp_bias, m.up.empty() ? "up_proj" : m.up, m.down); break;
  }
}

}  // namespace

void llama_layers(Builder& b, const LlamaDecoder& m) {
  const auto norm_named = [&](Text name) {
    if (!name.empty()) norm(b, m.norm, name, m.attention.hidden);
  };
  b.repeat("layers", all(m.n_layers), [&] {
    norm_named(m.norms.before_attention);
    attention(b, "self_attn", m.attention);
    norm_named(m.norms.after_attention);
    norm_named(m.norms.before_feed_forward);
    feed_forward(b, m);
    norm_named(m.norms.after_feed_forward);
    if (m.more != nullptr) m.more(b, m);
  });
}

BackboneOutput llama_decoder(Builder& b, const LlamaDecoder& m) {
  BackboneOutput out = decoder(
      b, m.vocabulary, m.attention.hidden, [&] { llama_layers(b, m); }, m.norm, m.last_norm);
  out.tie_by_default = m.tied;
  return out;
}

BackboneOutput latent_decoder(Builder& b, const DecoderSizes& s, const LatentAttention& attention, bool mlp_bias) {
  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", s.d);
      latent_attention(b, "self_attn", attention);
      rms_norm(b, "post_attention_layernorm", s.d);
      gated_mlp(b, "mlp", s.d, s.f, mlp_bias);
    });
  });
}

Attention attention_fields(Config c, const DecoderSizes& s, Default kv_heads, Default head_dim, Attention layout) {
  layout.hidden = s.d;
  layout.heads = s.n;
  layout.kv_heads = c.integer("num_key_value_heads", kv_heads.or_else(s.n));
  layout.head_dim = c.integer("head_dim", head_dim.or_else(floor_divide(s.d, s.n)));
  layout.qkv_bias = layout.output_bias = c.flag("attention_bias", false);
  return layout;
}

namespace {

/// Combines a model type's fixed settings with the sizes in the configuration.
LlamaDecoder sized(Config c, const DecoderDefaults& defaults, LlamaDecoder m) {
  const DecoderSizes s = decoder_sizes(c, defaults);
  m.attention.hidden = s.d;
  m.attention.heads = s.n;
  m.inner = s.f;
  m.n_layers = s.n_layers;
  m.vocabulary = s.vocab;
  return m;
}

}  // namespace

LlamaDecoder llama_fields(Config c, const DecoderDefaults& defaults) { return sized(c, defaults, {}); }

LlamaDecoder llama_type_fields(Config c, const LlamaType& type) {
  LlamaDecoder m = sized(c, type.sizes, type.layout);
  const Expr d = m.attention.hidden, n = m.attention.heads;
  m.attention.kv_heads = c.integer("num_key_value_heads", type.kv_heads.or_else(n));
  m.attention.head_dim = c.integer("head_dim", type.head_dim.or_else(floor_divide(d, n)));
  if (type.switches != nullptr) type.switches(c, m);
  if (type.divisible) require_multiple(d, n);
  return m;
}

BackboneOutput llama_type(Config c, Builder& b, const LlamaType& type) { return llama_decoder(b, llama_type_fields(c, type)); }

void attention_bias(Config c, LlamaDecoder& m) { m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false); }

void mlp_bias(Config c, LlamaDecoder& m) { m.mlp_bias = c.flag("mlp_bias", false); }

void both_biases(Config c, LlamaDecoder& m) {
  attention_bias(c, m);
  mlp_bias(c, m);
}

void require_shares(const LlamaDecoder& m) { require_equal(m.attention.heads * m.attention.head_dim, m.attention.hidden); }

}  // namespace param_ledger
