// DeepSeek-V2, V3 and V3.2 from the configuration of DeepSeek's own inference code (inference/configs).
// Source: inference/model.py as published with DeepSeek-V3 and DeepSeek-V3.2-Exp, ModelArgs and Transformer.

#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/params_json.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Transformer", Head::causal_lm, ""}};

constexpr Text harmless[] = {"max_batch_size", "max_seq_len", "scale_fmt",        "n_expert_groups", "n_limited_groups", "score_func",
                             "route_scale",    "index_topk",  "original_seq_len", "rope_theta",      "rope_factor",      "beta_fast",
                             "beta_slow",      "mscale"};

struct Latent {
  Expr d, n, q_rank, kv_rank, nope, rope, value;
  std::optional<Indexer> indexer = {};
};

void latent(Builder& b, const Latent& a) {
  require_positive(a.nope + a.rope);
  b.scope(Part::attention, "attn", [&] {
    const Expr queries = a.n * (a.nope + a.rope);
    if (is_zero(a.q_rank)) {
      linear(b, "wq", a.d, queries, false, TensorRole::query);
    } else {
      linear(b, "wq_a", a.d, a.q_rank, false, TensorRole::query_down);
      rms_norm(b, "q_norm", a.q_rank);
      linear(b, "wq_b", a.q_rank, queries, false, TensorRole::query_up);
    }
    linear(b, "wkv_a", a.d, a.kv_rank + a.rope, false, TensorRole::key_value_down);
    rms_norm(b, "kv_norm", a.kv_rank);
    linear(b, "wkv_b", a.kv_rank, a.n * (a.nope + a.value), false, TensorRole::key_value_up);
    linear(b, "wo", a.n * a.value, a.d, false, TensorRole::output);
    if (!a.indexer) return;
    require_positive(a.q_rank);
    b.scope("indexer", [&] {
      linear(b, "wq_b", a.q_rank, a.indexer->heads * a.indexer->head_dim);
      linear(b, "wk", a.d, a.indexer->head_dim);
      layer_norm(b, "k_norm", a.indexer->head_dim);
      linear(b, "weights_proj", a.d, a.indexer->heads);
    });
  });
}

/// Records one scale for each 128 × 128 block of the 8-bit matrices.
void scales(Builder& b) {
  const Expr block = b.pool().literal(128);
  const auto whole = [](const Row& row) {
    return row.storage != StorageKind::matrix || row.in_text(Part::router) || row.name.ends_with(".weights_proj.weight");
  };
  b.beside(Kind::published, "The scale of each block of a matrix in eight bits (dtype).", [&] {
    for (std::size_t i = 0, n = b.rows().size(); i < n; ++i) {
      const Row& row = b.rows()[i];
      if (whole(row)) continue;
      const Expr shape[] = {ceil_divide(row.shape[0], block), ceil_divide(row.shape[1], block)};
      constexpr std::string_view weight = "weight";
      b.like(row, concat({row.name.substr(0, row.name.size() - weight.size()), "scale"}), shape, StorageKind::vector);
    }
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("dim", 2048), vocab = c.integer("vocab_size", 102400), n_layers = c.integer("n_layers", 27);
  const Expr n_dense = c.integer("n_dense_layers", 1), f = c.integer("inter_dim", 10944), f_expert = c.integer("moe_inter_dim", 1408);
  const Expr n_experts = c.integer("n_routed_experts", 64), n_shared = c.integer("n_shared_experts", 2);
  const Expr n_active = c.integer("n_activated_experts", 6);
  Latent a{.d = d,
           .n = c.integer("n_heads", 16, 1),
           .q_rank = c.integer("q_lora_rank", 0),
           .kv_rank = c.integer("kv_lora_rank", 512),
           .nope = c.integer("qk_nope_head_dim", 128),
           .rope = c.integer("qk_rope_head_dim", 64),
           .value = c.integer("v_head_dim", 128)};
  if (c.has("index_n_heads") || c.has("index_head_dim") || c.has("index_topk"))
    a.indexer = Indexer{.heads = c.integer("index_n_heads", 64), .head_dim = c.integer("index_head_dim", 128)};
  static constexpr std::string_view dtypes[] = {"bf16", "fp8"};
  const bool narrow = c.text("dtype", "bf16", dtypes) == "fp8";
  refuse_unknown_keys(c, harmless);

  Mixture m = mixtral_experts(f_expert);
  m.hidden = d, m.count = n_experts, m.active = n_active, m.shared = n_shared * f_expert;
  m.shared_names = {.gate = "w1", .up = "w3", .down = "w2"};
  // In the published code only models as wide as V3 have a router bias. It is stored as a parameter but not trained by gradient descent, so
  // it is counted as a buffer.
  constexpr Count width_of_v3 = 7168;
  if (equal(d, width_of_v3)) m.correction = RouterBias::buffer, m.correction_name = "gate.bias";
  const Tensor table = embedding(b, "embed", vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(n_layers), [&] {
    latent(b, a);
    rms_norm(b, "attn_norm", d);
    rms_norm(b, "ffn_norm", d);
  });
  sparse_feed_forward(b,
                      {.layers = dense_first(n_layers, n_dense), .mixture = m, .dense = f, .dense_names = m.shared_names, .name = "ffn"});
  rms_norm(b, "norm", d);
  if (narrow) scales(b);
  return {.hidden = d, .embedding = table, .language_model = "head"};
}

constexpr Text keys[] = {"moe_inter_dim", "inter_dim", "n_routed_experts"};

}  // namespace

extern const Family deepseek_params{.model_type = "deepseek_params",
                                    .summary = "DeepSeek-V2, V3 and V3.2, from the configuration of DeepSeek's own inference code.",
                                    .classes = {.listed = classes},
                                    .backbone = backbone,
                                    .head = params_json_head,
                                    .own_code = true,
                                    .format_keys = {.all = params_json_keys, .one_of = keys}};

}  // namespace param_ledger
