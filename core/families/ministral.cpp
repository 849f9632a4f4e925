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
  LlamaDecoder m = llama_fields(c, {.hidden = 4096, .inner = 14336, .layers = 32, .vocabulary = 32000, .heads = 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", 8);
  m.attention.head_dim = c.required_integer("head_dim", 128);
  llama_decoder(c, b, m);
}

}  // namespace

const Family ministral{"ministral", "As Mistral; head_dim must be given.", classes, {}, record};

}  // namespace param_ledger
