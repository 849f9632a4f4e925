// SmolLM3: Llama with a tied head; some layers go without rotary positions.
// Source: transformers, models/smollm3.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"SmolLM3ForCausalLM", Head::causal_lm, "model"},
    {"SmolLM3Model", Head::none, ""},
    {"SmolLM3ForSequenceClassification", Head::sequence_classification, "model"},
    {"SmolLM3ForTokenClassification", Head::token_classification, "model"},
    {"SmolLM3ForQuestionAnswering", Head::question_answering, "transformer"},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048), f = c.integer("intermediate_size", 11008);
  const Expr n_layers = c.integer("num_hidden_layers", 36), vocab = c.integer("vocab_size", 128256);
  const Expr n = c.integer("num_attention_heads", 16, 1), n_kv = c.integer("num_key_value_heads", 4, n);
  const Expr h = c.attribute("head_dim", floor_divide(d, n));
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = attention_bias, .output_bias = attention_bias},
       .inner = f,
       .n_layers = n_layers,
       .vocabulary = vocab,
       .mlp_bias = mlp_bias,
       .tie_by_default = true});
}

}  // namespace

const Family smollm3{"smollm3", "As Llama, with a tied head.", classes, {}, record};

}  // namespace param_ledger
