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
  LlamaDecoder m = llama_fields(c, {.hidden = 4096, .inner = 10240, .layers = 48, .vocabulary = 128512, .heads = 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", 2, m.attention.heads);
  m.attention.head_dim = c.integer("head_dim", 128, floor_divide(m.attention.hidden, m.attention.heads));
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false);
  m.mlp_bias = c.flag("mlp_bias", false);
  require_multiple("hidden_size", m.attention.hidden, m.attention.heads);
  if (m.attention.qkv_bias != m.mlp_bias) refuse(ErrorCode::inconsistent, "mlp_bias", "must equal attention_bias.");
  llama_decoder(c, b, m);
}

}  // namespace

const Family internlm3{"internlm3", "As Llama, under other defaults.", classes, aliases, record};

}  // namespace param_ledger
