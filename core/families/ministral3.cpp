// Ministral 3: Mistral under other defaults.
// Source: transformers, models/ministral3.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Ministral3ForCausalLM", Head::causal_lm, "model"},
    {"Ministral3Model", Head::none, ""},
    {"Ministral3ForSequenceClassification", Head::sequence_classification, "model"},
    {"Ministral3ForTokenClassification", Head::token_classification, "model"},
    {"Ministral3ForQuestionAnswering", Head::question_answering, "model"},
};

void record(Config& c, Builder& b) {
  LlamaDecoder m = llama_fields(c, {.hidden = 4096, .inner = 14336, .layers = 34, .vocabulary = 131072, .heads = 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", 8);
  m.attention.head_dim = c.integer("head_dim", 128);
  if (m.attention.head_dim.value() == 0) m.attention.head_dim = floor_divide(m.attention.hidden, m.attention.heads);
  llama_decoder(c, b, m);
}

}  // namespace

const Family ministral3{"ministral3", "As Mistral, under other defaults.", classes, {}, record};

}  // namespace param_ledger
