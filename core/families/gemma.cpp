// Gemma: as Llama, with a head size of its own and a tied head.
// Source: transformers, models/gemma.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"GemmaForCausalLM", Head::causal_lm, "model"},
    {"GemmaModel", Head::none, ""},
    {"GemmaForSequenceClassification", Head::sequence_classification, "model"},
    {"GemmaForTokenClassification", Head::token_classification, "model"},
};

void record(Config& c, Builder& b) {
  LlamaDecoder m = llama_fields(c, {.hidden = 3072, .inner = 24576, .layers = 28, .vocabulary = 256000, .heads = 16});
  m.attention.kv_heads = c.integer("num_key_value_heads", 16);
  m.attention.head_dim = c.integer("head_dim", 256);
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false);
  m.tie_by_default = true;
  llama_decoder(c, b, m);
}

}  // namespace

const Family gemma{"gemma", "As Llama, with a head size of its own and a tied head.", classes, {}, record};

}  // namespace param_ledger
