// Mistral: as Llama, without biases.
// Source: transformers, models/mistral.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"MistralForCausalLM", Head::causal_lm, "model"},
    {"MistralModel", Head::none, ""},
    {"MistralForSequenceClassification", Head::sequence_classification, "model"},
    {"MistralForTokenClassification", Head::token_classification, "model"},
    {"MistralForQuestionAnswering", Head::question_answering, "model"},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 14336);
  const Expr n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 32000);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 8);
  const Expr h = head_dim_or_share(c, d, n);
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h}, .inner = f, .n_layers = n_layers, .vocabulary = vocab});
}

}  // namespace

const Family mistral{"mistral", "As Llama, without biases.", classes, {}, record};

}  // namespace param_ledger
