// RWKV-5 and RWKV-6 as built by the publisher's code for transformers: like RWKV-4, with a state for each head and a gate. In RWKV-6, the
// decay and the mixing with the previous token depend on the current token. Source: BBuf/RWKV-World-HF-Tokenizer, modeling_rwkv5.py and
// modeling_rwkv6.py.

#include "core/builder/blocks.hpp"
#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

namespace {

struct Sizes {
  Expr d, n_layers, vocab, attention, head, n, f, one;
};

Sizes sizes(Config c) {
  Sizes s{};
  s.d = c.integer("hidden_size", 768), s.n_layers = c.integer("num_hidden_layers", 24), s.vocab = c.integer("vocab_size", 65536);
  s.attention = c.integer("attention_hidden_size", s.d);
  s.head = c.integer("head_size", fixed(64), 1);
  s.n = floor_divide(s.attention, s.head);
  s.f = floor_divide(7 * s.d, c.literal(64)) * c.literal(32);
  s.one = c.literal(1);
  if (const std::optional<Expr> given = c.optional_integer("intermediate_size"); given && !equal(*given, s.f))
    c.refuse(ErrorCode::unsupported, "intermediate_size", "must be null: the published code always uses 3.5 × hidden_size.");
  return s;
}

/// Records for each name a vector with one factor per channel, by which a token is mixed with the previous one.
void mixes(Builder& b, const Sizes& s, std::initializer_list<Text> names) {
  for (const Text name : names) b.parameter(name, {s.one, s.one, s.d});
}

void projections(Builder& b, const Sizes& s) {
  for (const Text name : {"receptance", "key", "value", "gate"}) linear(b, name, s.d, s.attention);
  linear(b, "output", s.attention, s.d);
  require_multiple(s.d, s.n);
  group_norm(b, "ln_x", s.d);
}

void attention5(Builder& b, const Sizes& s) {
  for (const Text name : {"time_decay", "time_faaaa"}) b.parameter(name, {s.n, s.head});
  mixes(b, s, {"time_mix_gate", "time_mix_key", "time_mix_value", "time_mix_receptance"});
  projections(b, s);
}

void attention6(Builder& b, const Sizes& s) {
  const bool wide = equal(s.d, 4096);  // the published code recognises the 7B model by this width
  const Expr mixed = b.pool().literal(wide ? 64 : 32), decayed = b.pool().literal(wide ? 128 : 64), five = b.pool().literal(5);
  mixes(b, s, {"time_maa_x", "time_maa_w", "time_maa_k", "time_maa_v", "time_maa_r", "time_maa_g"});
  b.parameter("time_maa_w1", {s.d, 5 * mixed}, StorageKind::matrix);
  b.parameter("time_maa_w2", {five, mixed, s.d}, StorageKind::matrix);
  b.parameter("time_decay", {s.one, s.one, s.attention});
  b.parameter("time_decay_w1", {s.d, decayed}, StorageKind::matrix);
  b.parameter("time_decay_w2", {decayed, s.attention}, StorageKind::matrix);
  b.parameter("time_faaaa", {s.n, s.head});
  projections(b, s);
}

BackboneOutput record(Config c, Builder& b, void (*attention)(Builder& b, const Sizes& s), std::initializer_list<Text> channel_mixes) {
  const Sizes s = sizes(c);
  const Tensor table = embedding(b, "embeddings", s.vocab, s.d, TensorRole::token_embedding);
  if (!is_zero(s.n_layers)) b.repeat("blocks", only(0), [&] { layer_norm(b, "pre_ln", s.d); });
  b.repeat("blocks", all(s.n_layers), [&] {
    layer_norm(b, "ln1", s.d);
    b.scope(Part::state_space, "attention", [&] {
      const InBlock block(b, {Mechanism::rwkv});
      attention(b, s);
    });
    layer_norm(b, "ln2", s.d);
    b.scope(Part::feed_forward, "feed_forward", [&] {
      const InBlock block(b, {Mechanism::rwkv_channel_mixing});
      mixes(b, s, channel_mixes);
      linear(b, "key", s.d, s.f, false, TensorRole::up);
      linear(b, "receptance", s.d, s.d);
      linear(b, "value", s.f, s.d, false, TensorRole::down);
    });
  });
  layer_norm(b, "ln_out", s.d);
  return {.hidden = s.d, .embedding = table, .language_model = "head"};
}

BackboneOutput backbone5(Config c, Builder& b) { return record(c, b, attention5, {"time_mix_key", "time_mix_receptance"}); }
BackboneOutput backbone6(Config c, Builder& b) { return record(c, b, attention6, {"time_maa_k", "time_maa_r"}); }

}  // namespace

extern const Family rwkv5{
    .model_type = "rwkv5",
    .summary = "RWKV-5: like RWKV-4, with a state for each head and an output gate.",
    .classes = {"Rwkv5", heads::decoder, "rwkv"},
    .backbone = backbone5,
    .own_code = true,
};
extern const Family rwkv6{
    .model_type = "rwkv6",
    .summary = "RWKV-6: like RWKV-5, with a decay that depends on the token.",
    .classes = {"Rwkv6", heads::decoder, "rwkv"},
    .backbone = backbone6,
    .own_code = true,
};

}  // namespace param_ledger
