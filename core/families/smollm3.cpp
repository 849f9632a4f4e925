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
  LlamaDecoder m = llama_fields(c, {.hidden = 2048, .inner = 11008, .layers = 36, .vocabulary = 128256, .heads = 16});
  m.attention.kv_heads = c.integer("num_key_value_heads", 4, m.attention.heads);
  m.attention.head_dim = c.attribute("head_dim", floor_divide(m.attention.hidden, m.attention.heads));
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false);
  m.mlp_bias = c.flag("mlp_bias", false);
  m.tie_by_default = true;
  llama_decoder(c, b, m);
}

}  // namespace

const Family smollm3{"smollm3", "As Llama, with a tied head.", classes, {}, record};

}  // namespace param_ledger
