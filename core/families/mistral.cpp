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
  LlamaDecoder m = llama_fields(c, {.hidden = 4096, .inner = 14336, .layers = 32, .vocabulary = 32000, .heads = 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", 8);
  m.attention.head_dim = head_dim_or_share(c, m.attention.hidden, m.attention.heads);
  llama_decoder(c, b, m);
}

}  // namespace

const Family mistral{"mistral", "As Llama, without biases.", classes, {}, record};

}  // namespace param_ledger
