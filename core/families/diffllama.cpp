// DiffLlama: like Llama, with differential attention. The output of one half of the heads, times a weight that depends on four learned
// vectors, is subtracted from that of the other half. Source: transformers, models/diffllama.

#include "core/builder/inference.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

void lambdas(Builder& b, const LlamaDecoder& m) {
  require_multiple(m.attention.kv_heads, b.pool().literal(2));
  b.scope(Part::attention, "self_attn", [&] {
    for (const Text name : {"lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"}) b.parameter(name, {m.attention.head_dim});
    record_pair_products(b, m.attention.heads * (2 * m.attention.head_dim));  // attention is computed twice
  });
}

constexpr LlamaType type{.sizes = {2048, 8192, 16, 32000, 32}, .switches = attention_bias, .layout = {.more = lambdas}};

}  // namespace

extern const Family diffllama{
    .model_type = "diffllama",
    .summary = "Like Llama, with differential attention.",
    .classes = {"DiffLlama", heads::all, "model", "transformer"},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
