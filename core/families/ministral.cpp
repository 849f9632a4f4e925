// Ministral 8B: Mistral with layers of two attention windows.
// Source: transformers, models/ministral.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"MinistralForCausalLM", Head::causal_lm, "model"},
    {"MinistralModel", Head::none, ""},
    {"MinistralForSequenceClassification", Head::sequence_classification, "model"},
    {"MinistralForTokenClassification", Head::token_classification, "model"},
    {"MinistralForQuestionAnswering", Head::question_answering, "transformer"},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 14336);
  const Expr n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 32000);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 8);
  const Expr h = c.required_integer("head_dim", 128);
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h}, .inner = f, .n_layers = n_layers, .vocabulary = vocab});
}

}  // namespace

const Family ministral{"ministral", "As Mistral; head_dim must be given.", classes, {}, record};

}  // namespace param_ledger
