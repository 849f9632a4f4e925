// DBRX: a fused query, key and value projection, norms without bias, and experts stacked in the rows of three matrices.
// Source: transformers, models/dbrx.

#include "core/builder/blocks.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"DbrxForCausalLM", Head::causal_lm, "transformer"}, {"DbrxModel", Head::none, ""}};

constexpr Alias aliases[] = {{"num_attention_heads", "n_heads"}, {"hidden_size", "d_model"}, {"num_hidden_layers", "n_layers"}};

BackboneOutput backbone(Config c, Builder& b) {
  // DbrxConfig passes d_model to the experts' configuration before it resolves aliases such as hidden_size.
  if (c.json["hidden_size"] && !c.json["d_model"])
    c.refuse(ErrorCode::inconsistent, "d_model",
             "must be given under this name: transformers would build experts before it reads hidden_size.", Refused::early_alias);
  const Expr d = c.integer("d_model", 2048), n = c.integer("n_heads", 16, 1), n_layers = c.integer("n_layers", 24);
  const Expr vocab = c.integer("vocab_size", 32000);
  Config attention_config = c.section("attn_config"), experts_config = c.section("ffn_config");
  const Expr n_kv = attention_config.integer("kv_n_heads", 1, 1), h = floor_divide(d, n);
  const Expr f = experts_config.integer("ffn_hidden_size", 3584),
             n_experts = experts_config.integer("moe_num_experts", 4, 1, Refused::no_experts);
  const Expr n_active = experts_config.integer("moe_top_k", 1);
  if (c.flag("tie_word_embeddings", false))
    c.refuse(ErrorCode::out_of_range, "tie_word_embeddings", "must be false: transformers has no DBRX with a tied head.");

  const Tensor table = embedding(b, "wte", vocab, d, TensorRole::token_embedding);
  b.repeat("blocks", all(n_layers), [&] {
    b.scope("norm_attn_norm", [&] {
      unbiased_layer_norm(b, "norm_1", d);
      b.scope(Part::attention, "attn", [&] {
        const InBlock block(b, {.mechanism = Mechanism::attention, .heads = n, .kv_heads = n_kv});
        linear(b, "Wqkv", d, d + 2 * n_kv * h, false, TensorRole::query_key_value);
        linear(b, "out_proj", d, d, false, TensorRole::output);
      });
      unbiased_layer_norm(b, "norm_2", d);
    });
    b.scope("ffn", [&] {
      b.part(Part::router, [&] { linear(b, "router.layer", d, n_experts, false, TensorRole::router); });
      b.scope(Part::feed_forward, "experts.mlp", [&] {
        const auto matrix = [&](TensorRole role, Text name) {
          b.scope(role, "", [&] { b.expert_parameter(name, {n_experts * f, d}, {n_experts, n_active, f}); });
        };
        matrix(TensorRole::gate, "w1");
        matrix(TensorRole::up, "v1");
        matrix(TensorRole::down, "w2");
      });
    });
  });
  unbiased_layer_norm(b, "norm_f", d);
  return {.hidden = d, .embedding = table};
}

}  // namespace

extern const Family dbrx{
    .model_type = "dbrx",
    .summary = "Fine-grained mixture of experts with a fused QKV projection.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
