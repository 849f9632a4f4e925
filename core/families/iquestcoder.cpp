// IQuest-Coder: Llama under other defaults.
// Source: transformers, models/iquestcoder.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"LlamaForCausalLM", Head::causal_lm, "model"},
    {"LlamaModel", Head::none, ""},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 5120), f = c.integer("intermediate_size", 27648);
  const Expr n_layers = c.integer("num_hidden_layers", 80), vocab = c.integer("vocab_size", 76800);
  const Expr n = c.integer("num_attention_heads", 40, 1), n_kv = c.integer("num_key_value_heads", 8, n);
  const Expr h = c.integer("head_dim", 128, floor_divide(d, n));
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  require_multiple("hidden_size", d, n);
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = attention_bias, .output_bias = attention_bias},
       .inner = f,
       .n_layers = n_layers,
       .vocabulary = vocab,
       .mlp_bias = mlp_bias});
}

}  // namespace

const Family iquestcoder{"iquestcoder", "As Llama, under other defaults.", classes, {}, record};

}  // namespace param_ledger
