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
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 11008);
  const Expr n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 32000);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", n);
  const Expr h = c.integer("head_dim", floor_divide(d, n));
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  require_multiple("hidden_size", d, n);
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = attention_bias, .output_bias = attention_bias},
       .inner = f,
       .n_layers = n_layers,
       .vocabulary = vocab,
       .mlp_bias = mlp_bias});
}

}  // namespace

const Family llama{"llama", "Decoder with grouped-query attention, gated feed-forward and RMS norms.", classes, {}, record};

}  // namespace param_ledger
