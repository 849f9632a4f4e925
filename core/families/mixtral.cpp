// Mixtral: as Mistral, with a mixture of experts in the place of each feed-forward block.
// Source: transformers, models/mixtral.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"MixtralForCausalLM", Head::causal_lm, "model"},
    {"MixtralModel", Head::none, ""},
    {"MixtralForSequenceClassification", Head::sequence_classification, "model"},
    {"MixtralForTokenClassification", Head::token_classification, "model"},
    {"MixtralForQuestionAnswering", Head::question_answering, "model"},
};

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("intermediate_size", 14336);
  const Expr n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 32000);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 8);
  const Expr h = head_dim_or_share(c, d, n);
  const Expr n_experts = c.integer("num_local_experts", 8), n_active = c.integer("num_experts_per_tok", 2);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_tokens", vocab, d);
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h});
      rms_norm(b, "post_attention_layernorm", d);
      // The checkpoint's names; without experts transformers cannot convert to them and keeps its own.
      b.scope(n_experts.value() == 0 ? "mlp" : "block_sparse_moe", [&] {
        routed_experts(b, {.count = n_experts, .active = n_active, .hidden = d, .inner = f, .gate = "w1", .up = "w3", .down = "w2"});
      });
    });
    rms_norm(b, "norm", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab});
}

}  // namespace

const Family mixtral{"mixtral", "As Mistral, with a mixture of experts in each layer.", classes, aliases, record};

}  // namespace param_ledger
