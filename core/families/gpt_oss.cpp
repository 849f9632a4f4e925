// gpt-oss: grouped-query attention with biases and a sink per head; a mixture of experts in each layer, stored fused, with biases.
// Source: transformers, models/gpt_oss.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"GptOssForCausalLM", Head::causal_lm, "model"},
    {"GptOssModel", Head::none, ""},
    {"GptOssForSequenceClassification", Head::sequence_classification, "model"},
    {"GptOssForTokenClassification", Head::token_classification, "model"},
};

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2880), f = c.integer("intermediate_size", 2880);
  const Expr n_layers = c.integer("num_hidden_layers", 36), vocab = c.integer("vocab_size", 201088);
  const Expr n = c.integer("num_attention_heads", 64, 1), n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 64);
  const bool bias = c.flag("attention_bias", true);
  const Expr n_experts = c.integer("num_local_experts", 128), n_active = c.integer("num_experts_per_tok", 4);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_tokens", vocab, d);
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
      b.part(Part::attention, [&] { b.scope("self_attn", [&] { b.parameter("sinks", {n}); }); });
      rms_norm(b, "post_attention_layernorm", d);
      b.scope("mlp", [&] {
        b.part(Part::router, [&] { linear(b, "router", d, n_experts, true); });
        b.part(Part::feed_forward, [&] {
          b.scope("experts", [&] {
            b.expert_parameter("gate_up_proj", {n_experts, d, 2 * f}, n_active);
            b.expert_parameter("gate_up_proj_bias", {n_experts, 2 * f}, n_active);
            b.expert_parameter("down_proj", {n_experts, f, d}, n_active);
            b.expert_parameter("down_proj_bias", {n_experts, d}, n_active);
          });
        });
      });
    });
    rms_norm(b, "norm", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab});
}

}  // namespace

const Family gpt_oss{"gpt_oss", "Grouped-query attention with sinks; fused experts with biases in each layer.", classes, aliases, record};

}  // namespace param_ledger
