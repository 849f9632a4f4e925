// China Telecom's TeleChat: like Llama, with a fused key and value projection and biases on the output projections of both blocks.
// Source: modeling_telechat.py and configuration_telechat.py as published in Tele-AI/Telechat.

#include "core/builder/blocks.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "n_layer"}, {"num_attention_heads", "n_head"}, {"n_embed", "hidden_size"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("ffn_hidden_size", 12288), n_layers = c.integer("n_layer", 30);
  const Expr vocab = c.integer("vocab_size", 160256), n = c.integer("n_head", 32, 1);
  const bool table_norm = c.flag("embed_layernorm", false);
  const Tensor table = embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
  if (table_norm) rms_norm(b, "word_embeddings_layernorm", d);
  b.repeat("h", all(n_layers), [&] {
    require_multiple(d, n);
    rms_norm(b, "input_layernorm", d);
    b.scope(Part::attention, "self_attention", [&] {
      const InBlock block(b, {.mechanism = Mechanism::attention, .heads = n, .kv_heads = n});
      linear(b, "query", d, d, false, TensorRole::query);
      linear(b, "key_value", d, 2 * d);
      linear(b, "dense", d, d, true, TensorRole::output);
    });
    rms_norm(b, "post_attention_layernorm", d);
    b.scope(Part::feed_forward, "mlp", [&] {
      linear(b, "gate_proj", d, f, false, TensorRole::gate);
      linear(b, "up_proj", d, f, false, TensorRole::up);
      linear(b, "down_proj", f, d, true, TensorRole::down);
    });
  });
  rms_norm(b, "ln_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

}  // namespace

extern const Family telechat{
    .model_type = "telechat",
    .summary = "Like Llama, with a fused key-value projection.",
    .classes = {"Telechat", heads::decoder, "transformer"},
    .aliases = aliases,
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
