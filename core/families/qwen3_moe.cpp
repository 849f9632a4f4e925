// Qwen3-MoE: as Qwen3, with a mixture of experts in every layer that mlp_only_layers and decoder_sparse_step leave.
// Source: transformers, models/qwen3_moe.

#include <algorithm>

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"Qwen3MoeForCausalLM", Head::causal_lm, "model"},
    {"Qwen3MoeModel", Head::none, ""},
    {"Qwen3MoeForSequenceClassification", Head::sequence_classification, "model"},
    {"Qwen3MoeForTokenClassification", Head::token_classification, "model"},
    {"Qwen3MoeForQuestionAnswering", Head::question_answering, "transformer"},
};

constexpr Alias aliases[] = {{"num_local_experts", "num_experts"}};

struct Layers {
  IndexSet dense;
  IndexSet sparse;
};

/// Layer i has experts where i is none of mlp_only_layers and i + 1 is a multiple of decoder_sparse_step.
Layers layers_of_both_kinds(Config& c, Expr n_layers, Expr n_experts) {
  const Expr step = c.integer("decoder_sparse_step", 1);
  const std::vector<std::int64_t> dense_only = c.integers("mlp_only_layers").value_or(std::vector<std::int64_t>{});
  if (n_experts.value() == 0) return {all(n_layers), {}};
  require_positive(step);
  if (step.value() == 1 && dense_only.empty()) return {{}, all(n_layers)};
  require_listable(n_layers);
  std::vector<std::uint64_t> dense, sparse;
  for (std::uint64_t i = 0; i < n_layers.value(); ++i) {
    const bool is_dense =
        (i + 1) % step.value() != 0 || std::find(dense_only.begin(), dense_only.end(), static_cast<std::int64_t>(i)) != dense_only.end();
    (is_dense ? dense : sparse).push_back(i);
  }
  const Expr n_sparse =
      c.count("num_sparse_layers", "L_e", "Layers with a mixture of experts, by decoder_sparse_step and mlp_only_layers.", sparse.size());
  return {listed(dense, n_layers - n_sparse), listed(sparse, n_sparse)};
}

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048), f = c.integer("intermediate_size", 6144);
  const Expr n_layers = c.integer("num_hidden_layers", 24), vocab = c.integer("vocab_size", 151936);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", 4);
  const Expr h = c.attribute("head_dim", floor_divide(d, n));
  const bool bias = c.flag("attention_bias", false);
  const Expr n_experts = c.integer("num_experts", 128), n_active = c.integer("num_experts_per_tok", 8),
             f_expert = c.integer("moe_intermediate_size", 768);
  const Layers layers = layers_of_both_kinds(c, n_layers, n_experts);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_tokens", vocab, d);
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn",
                {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias, .head_norms = true});
      rms_norm(b, "post_attention_layernorm", d);
    });
    b.repeat("layers", layers.dense, [&] { gated_mlp(b, "mlp", d, f); });
    b.repeat("layers", layers.sparse,
             [&] { b.scope("mlp", [&] { routed_experts(b, {.count = n_experts, .active = n_active, .hidden = d, .inner = f_expert}); }); });
    rms_norm(b, "norm", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab});
}

}  // namespace

const Family qwen3_moe{"qwen3_moe", "As Qwen3, with a mixture of experts in all or some layers.", classes, aliases, record};

}  // namespace param_ledger
