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
  LlamaDecoder m = llama_fields(c, {.hidden = 6144, .inner = 21504, .layers = 64, .vocabulary = 128256, .heads = 48});
  m.attention.kv_heads = c.integer("num_key_value_heads", 8);
  m.attention.head_dim = c.integer("head_dim", 128);
  m.mlp_bias = c.flag("mlp_bias", false);
  require_multiple("hidden_size", m.attention.hidden, m.attention.heads);
  llama_decoder(c, b, m);
}

}  // namespace

const Family cwm{"cwm", "As Llama, without attention biases.", classes, {}, record};

}  // namespace param_ledger
