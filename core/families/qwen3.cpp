// Qwen3: as Llama, with norms on the heads of query and key and a head size of its own.
// Source: transformers, models/qwen3.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Qwen3ForCausalLM", Head::causal_lm, "model"},
    {"Qwen3Model", Head::none, ""},
    {"Qwen3ForSequenceClassification", Head::sequence_classification, "model"},
    {"Qwen3ForTokenClassification", Head::token_classification, "model"},
    {"Qwen3ForQuestionAnswering", Head::question_answering, "transformer"},
};

void record(Config& c, Builder& b) {
  LlamaDecoder m = llama_fields(c, {.hidden = 4096, .inner = 22016, .layers = 32, .vocabulary = 151936, .heads = 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", 32, m.attention.heads);
  m.attention.head_dim = c.integer("head_dim", 128);
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false);
  m.attention.head_norms = true;
  llama_decoder(c, b, m);
}

}  // namespace

const Family qwen3{"qwen3", "As Llama, with norms on query and key heads and a head size of its own.", classes, {}, record};

}  // namespace param_ledger
