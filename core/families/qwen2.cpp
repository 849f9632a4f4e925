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
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 22016);
  const Expr n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 151936);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 32, n);
  const Expr h = c.attribute("head_dim", floor_divide(d, n));
  llama_decoder(c, b,
                {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = true},
                 .inner = f,
                 .n_layers = n_layers,
                 .vocabulary = vocab});
}

}  // namespace

const Family qwen2{"qwen2", "As Llama, with biases on query, key and value.", classes, {}, record};

}  // namespace param_ledger
