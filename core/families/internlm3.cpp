// InternLM3: Llama under other defaults; its biases come together or not at all.
// Source: transformers, models/internlm3.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"LlamaForCausalLM", Head::causal_lm, "model"},
    {"LlamaModel", Head::none, ""},
};

constexpr Alias aliases[] = {{"qkv_bias", "attention_bias"}, {"bias", "mlp_bias"}};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 10240);
  const Expr n_layers = c.integer("num_hidden_layers", 48), vocab = c.integer("vocab_size", 128512);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 2, n);
  const Expr h = c.integer("head_dim", 128, floor_divide(d, n));
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  require_multiple("hidden_size", d, n);
  if (attention_bias != mlp_bias) refuse(ErrorCode::inconsistent, "mlp_bias", "must equal attention_bias.");
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = attention_bias, .output_bias = attention_bias},
       .inner = f,
       .n_layers = n_layers,
       .vocabulary = vocab,
       .mlp_bias = mlp_bias});
}

}  // namespace

const Family internlm3{"internlm3", "As Llama, under other defaults.", classes, aliases, record};

}  // namespace param_ledger
