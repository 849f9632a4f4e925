// RWKV 4: a recurrence instead of attention. Values are averaged with weights that depend on the keys and on a learned decay, and each
// token is mixed with the previous one. Source: transformers, models/rwkv.

#include "core/builder/blocks.hpp"
#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 50277);
  const Expr d_attention = c.integer("attention_hidden_size", d), f = c.integer("intermediate_size", 4 * d), one = c.literal(1);
  const auto mixes = [&](std::initializer_list<Text> names) {
    for (const Text name : names) b.parameter(name, {one, one, d});
  };
  const Tensor table = embedding(b, "embeddings", vocab, d, TensorRole::token_embedding);
  if (!is_zero(n_layers)) b.repeat("blocks", only(0), [&] { layer_norm(b, "pre_ln", d); });
  b.repeat("blocks", all(n_layers), [&] {
    layer_norm(b, "ln1", d);
    b.scope(Part::state_space, "attention", [&] {
      const InBlock block(b, {Mechanism::rwkv});
      for (const Text name : {"time_decay", "time_first"}) b.parameter(name, {d_attention});
      mixes({"time_mix_key", "time_mix_value", "time_mix_receptance"});
      for (const Text name : {"key", "value", "receptance"}) linear(b, name, d, d_attention);
      linear(b, "output", d_attention, d);
    });
    layer_norm(b, "ln2", d);
    b.scope(Part::feed_forward, "feed_forward", [&] {
      const InBlock block(b, {Mechanism::rwkv_channel_mixing});
      mixes({"time_mix_key", "time_mix_receptance"});
      linear(b, "key", d, f, false, TensorRole::up);
      linear(b, "receptance", d, d);
      linear(b, "value", f, d, false, TensorRole::down);
    });
  });
  layer_norm(b, "ln_out", d);
  return {.hidden = d, .embedding = table, .language_model = "head"};
}

}  // namespace

extern const Family rwkv{
    .model_type = "rwkv",
    .summary = "RWKV-4: linear recurrence instead of attention.",
    .classes = {"Rwkv", heads::decoder, "rwkv"},
    .backbone = backbone,
};

}  // namespace param_ledger
