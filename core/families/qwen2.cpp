// Qwen2 and Qwen2.5: as Llama, with biases on query, key and value only.
// Source: transformers, models/qwen2.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Qwen2ForCausalLM", Head::causal_lm, "model"},
    {"Qwen2Model", Head::none, ""},
    {"Qwen2ForSequenceClassification", Head::sequence_classification, "model"},
    {"Qwen2ForTokenClassification", Head::token_classification, "model"},
    {"Qwen2ForQuestionAnswering", Head::question_answering, "transformer"},
};

void record(Config& c, Builder& b) {
  LlamaDecoder m = llama_fields(c, {.hidden = 4096, .inner = 22016, .layers = 32, .vocabulary = 151936, .heads = 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", 32, m.attention.heads);
  m.attention.head_dim = c.attribute("head_dim", floor_divide(m.attention.hidden, m.attention.heads));
  m.attention.qkv_bias = true;
  llama_decoder(c, b, m);
}

}  // namespace

const Family qwen2{"qwen2", "As Llama, with biases on query, key and value.", classes, {}, record};

}  // namespace param_ledger
