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
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 22016);
  const Expr n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 151936);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 32, n);
  const Expr h = c.integer("head_dim", 128);
  const bool bias = c.flag("attention_bias", false);
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias, .head_norms = true},
       .inner = f,
       .n_layers = n_layers,
       .vocabulary = vocab});
}

}  // namespace

const Family qwen3{"qwen3", "As Llama, with norms on query and key heads and a head size of its own.", classes, {}, record};

}  // namespace param_ledger
