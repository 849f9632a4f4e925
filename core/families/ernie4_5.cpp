// ERNIE 4.5, dense: Llama with one switch for all biases and a tied head.
// Source: transformers, models/ernie4_5.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Ernie4_5ForCausalLM", Head::causal_lm, "model"},
    {"Ernie4_5Model", Head::none, ""},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 3072);
  const Expr n_layers = c.integer("num_hidden_layers", 18), vocab = c.integer("vocab_size", 103424);
  const Expr n = c.integer("num_attention_heads", 16, 1), n_kv = c.integer("num_key_value_heads", 2, n);
  const Expr h = c.integer("head_dim", 128, floor_divide(d, n));
  const bool bias = c.flag("use_bias", false, Null::allowed);
  llama_decoder(c, b,
                {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias},
                 .inner = f,
                 .n_layers = n_layers,
                 .vocabulary = vocab,
                 .mlp_bias = bias,
                 .tie_by_default = true});
}

}  // namespace

const Family ernie4_5{"ernie4_5", "As Llama, with one switch for all biases and a tied head.", classes, {}, record};

}  // namespace param_ledger
