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
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 14336);
  const Expr n_layers = c.integer("num_hidden_layers", 34), vocab = c.integer("vocab_size", 131072);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 8);
  const Expr given = c.integer("head_dim", 128), h = given.value() == 0 ? floor_divide(d, n) : given;
  llama_decoder(
      c, b,
      {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h}, .inner = f, .n_layers = n_layers, .vocabulary = vocab});
}

}  // namespace

const Family ministral3{"ministral3", "As Mistral, under other defaults.", classes, {}, record};

}  // namespace param_ledger
