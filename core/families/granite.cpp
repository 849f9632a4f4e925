// Granite 3: Llama with scaling factors, which are no parameters.
// Source: transformers, models/granite.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"GraniteForCausalLM", Head::causal_lm, "model"},
    {"GraniteModel", Head::none, ""},
};

void record(Config& c, Builder& b) {
  LlamaDecoder m = llama_fields(c, {.hidden = 4096, .inner = 11008, .layers = 32, .vocabulary = 32000, .heads = 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", m.attention.heads);
  m.attention.head_dim = c.attribute("head_dim", floor_divide(m.attention.hidden, m.attention.heads));
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false);
  m.mlp_bias = c.flag("mlp_bias", false);
  m.attention.scaled_by_head_dim = false;  // but by attention_multiplier
  llama_decoder(c, b, m);
}

}  // namespace

const Family granite{"granite", "As Llama, with scaling factors that are no parameters.", classes, {}, record};

}  // namespace param_ledger
