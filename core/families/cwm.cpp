// CWM: Llama without attention biases.
// Source: transformers, models/cwm.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"CwmForCausalLM", Head::causal_lm, "model"},
    {"CwmModel", Head::none, ""},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 6144), f = c.integer("intermediate_size", 21504);
  const Expr n_layers = c.integer("num_hidden_layers", 64), vocab = c.integer("vocab_size", 128256);
  const Expr n = c.integer("num_attention_heads", 48, 1), n_kv = c.integer("num_key_value_heads", 8);
  const Expr h = c.integer("head_dim", 128);
  const bool mlp_bias = c.flag("mlp_bias", false);
  require_multiple("hidden_size", d, n);
  llama_decoder(c, b,
                {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h},
                 .inner = f,
                 .n_layers = n_layers,
                 .vocabulary = vocab,
                 .mlp_bias = mlp_bias});
}

}  // namespace

const Family cwm{"cwm", "As Llama, without attention biases.", classes, {}, record};

}  // namespace param_ledger
