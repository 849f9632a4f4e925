// GPT-NeoX and Pythia: one projection for query, key and value, two-matrix feed-forward with biases, rotary positions.
// Source: transformers, models/gpt_neox.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"GPTNeoXForCausalLM", Head::causal_lm, "gpt_neox"},
    {"GPTNeoXModel", Head::none, ""},
    {"GPTNeoXForSequenceClassification", Head::sequence_classification, "gpt_neox"},
    {"GPTNeoXForTokenClassification", Head::token_classification, "gpt_neox"},
    {"GPTNeoXForQuestionAnswering", Head::question_answering, "gpt_neox"},
};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 6144), f = c.integer("intermediate_size", 24576);
  const Expr n_layers = c.integer("num_hidden_layers", 44), vocab = c.integer("vocab_size", 50432);
  const Expr n = c.integer("num_attention_heads", 64, 1);
  const bool bias = c.flag("attention_bias", true);
  require_multiple("hidden_size", d, n);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_in", vocab, d);
    b.repeat("layers", all(n_layers), [&] {
      require_positive(d);
      layer_norm(b, "input_layernorm", d);
      b.part(Part::attention, [&] {
        b.scope("attention", [&] {
          linear(b, "query_key_value", d, 3 * d, bias);
          linear(b, "dense", d, d, bias);
        });
      });
      layer_norm(b, "post_attention_layernorm", d);
      b.part(Part::feed_forward, [&] {
        b.scope("mlp", [&] {
          linear(b, "dense_h_to_4h", d, f, true);
          linear(b, "dense_4h_to_h", f, d, true);
        });
      });
    });
    layer_norm(b, "final_layer_norm", d);
  });
  decoder_head(
      c, b, {.hidden = d, .vocabulary = vocab, .embedding = "embed_in", .language_model = "embed_out", .token_classifier = "classifier"});
}

}  // namespace

const Family gpt_neox{
    "gpt_neox", "Multi-head attention in one projection, two-matrix feed-forward, biases, rotary positions.", classes, {}, record};

}  // namespace param_ledger
