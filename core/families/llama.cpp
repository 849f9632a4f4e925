// Llama: pre-norm decoder with grouped-query attention, gated feed-forward and RMS norms; the type that most others vary.
// Source: transformers, models/llama.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"LlamaForCausalLM", Head::causal_lm, "model"},
    {"LlamaModel", Head::none, ""},
    {"LlamaForSequenceClassification", Head::sequence_classification, "model"},
    {"LlamaForTokenClassification", Head::token_classification, "model"},
    {"LlamaForQuestionAnswering", Head::question_answering, "transformer"},
};

void record(Config& c, Builder& b) {
  LlamaDecoder m = llama_fields(c, {.hidden = 4096, .inner = 11008, .layers = 32, .vocabulary = 32000, .heads = 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", m.attention.heads);
  m.attention.head_dim = c.integer("head_dim", floor_divide(m.attention.hidden, m.attention.heads));
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false);
  m.mlp_bias = c.flag("mlp_bias", false);
  require_multiple("hidden_size", m.attention.hidden, m.attention.heads);
  llama_decoder(c, b, m);
}

}  // namespace

const Family llama{"llama", "Decoder with grouped-query attention, gated feed-forward and RMS norms.", classes, {}, record};

}  // namespace param_ledger
