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
  LlamaDecoder m = llama_fields(c, {.hidden = 5120, .inner = 27648, .layers = 80, .vocabulary = 76800, .heads = 40});
  m.attention.kv_heads = c.integer("num_key_value_heads", 8, m.attention.heads);
  m.attention.head_dim = c.integer("head_dim", 128, floor_divide(m.attention.hidden, m.attention.heads));
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false);
  m.mlp_bias = c.flag("mlp_bias", false);
  require_multiple("hidden_size", m.attention.hidden, m.attention.heads);
  llama_decoder(c, b, m);
}

}  // namespace

const Family iquestcoder{"iquestcoder", "As Llama, under other defaults.", classes, {}, record};

}  // namespace param_ledger
