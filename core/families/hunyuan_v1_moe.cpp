// Hunyuan MoE: like Llama, with QK-Norm. Each layer has routed experts and a shared expert of equal width.
// Source: transformers, models/hunyuan_v1_moe.

#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts_per_tok", "moe_topk"}, {"num_local_experts", "num_experts"}};

/// Reads moe_topk, which is a number or a list with one entry per layer. All entries must be equal.
Expr active_experts(Config c) {
  if (!c.peek("moe_topk").is(Json::Type::list)) return c.integer("moe_topk", 1);
  const std::vector<std::int64_t> list = c.integers("moe_topk").value();
  for (const std::int64_t k : list)
    if (k < 0 || k != list.front())
      c.refuse(ErrorCode::unsupported, "moe_topk", "must be the same for all layers: a different number per layer cannot be counted here.");
  if (list.empty()) c.refuse(ErrorCode::inconsistent, "moe_topk", "must have an entry per layer.");
  return c.literal(static_cast<Count>(list.front()));
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 32, 290943, 32});
  // head_dim is required, because transformers has no default for it.
  const Attention a = attention_fields(c, s, Default{}, required(128),
                                       {.head_norms = QkNorm::per_head, .q_norm = "query_layernorm", .k_norm = "key_layernorm"});
  const Mixture m{.hidden = s.d,
                  .count = c.integer("num_experts", 1),
                  .active = active_experts(c),
                  .inner = s.f,
                  .router = "gate.wg",
                  .shared = s.f,
                  .shared_name = "shared_mlp"};
  return sparse_decoder(b, {s, {.layers = sparse_everywhere(s.n_layers), .mixture = m}}, a);
}

}  // namespace

extern const Family hunyuan_v1_moe{
    .model_type = "hunyuan_v1_moe",
    .summary = "Like Llama, with QK-Norm, a mixture of experts and a shared expert in each layer.",
    .classes = {"HunYuanMoEV1", heads::causal_lm | heads::base | heads::sequence},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
