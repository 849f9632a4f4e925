// Qwen2 and Qwen2.5: as Llama, with biases on query, key and value only.
// Source: transformers, models/qwen2.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

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

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_tokens", vocab, d);
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = true});
      rms_norm(b, "post_attention_layernorm", d);
      gated_mlp(b, "mlp", d, f);
    });
    rms_norm(b, "norm", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab});
}

}  // namespace

const Family qwen2{"qwen2", "As Llama, with biases on query, key and value.", classes, {}, record};

}  // namespace param_ledger
