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
  const Expr d = c.integer("hidden_size", 3072), f = c.integer("intermediate_size", 24576);
  const Expr n_layers = c.integer("num_hidden_layers", 28), vocab = c.integer("vocab_size", 256000);
  const Expr n = c.integer("num_attention_heads", 16, 1), n_kv = c.integer("num_key_value_heads", 16);
  const Expr h = c.integer("head_dim", 256);
  const bool attention_bias = c.flag("attention_bias", false);
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = attention_bias, .output_bias = attention_bias},
       .inner = f,
       .n_layers = n_layers,
       .vocabulary = vocab,
       .tie_by_default = true});
}

}  // namespace

const Family gemma{"gemma", "As Llama, with a head size of its own and a tied head.", classes, {}, record};

}  // namespace param_ledger
