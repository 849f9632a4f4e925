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
  LlamaDecoder m = llama_fields(c, {.hidden = 1024, .inner = 3072, .layers = 18, .vocabulary = 103424, .heads = 16});
  m.attention.kv_heads = c.integer("num_key_value_heads", 2, m.attention.heads);
  m.attention.head_dim = c.integer("head_dim", 128, floor_divide(m.attention.hidden, m.attention.heads));
  m.attention.qkv_bias = m.attention.output_bias = m.mlp_bias = c.flag("use_bias", false, Null::allowed);
  m.tie_by_default = true;
  llama_decoder(c, b, m);
}

}  // namespace

const Family ernie4_5{"ernie4_5", "As Llama, with one switch for all biases and a tied head.", classes, {}, record};

}  // namespace param_ledger
