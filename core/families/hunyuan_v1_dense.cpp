// Hunyuan, dense: like Llama, with QK-Norm.
// Source: transformers, models/hunyuan_v1_dense.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {4096, 11008, 32, 290943, 32},
                         .head_dim = required(128),
                         .switches = attention_bias,
                         .layout = {.attention = {.head_norms = QkNorm::per_head, .q_norm = "query_layernorm", .k_norm = "key_layernorm"}}};

}  // namespace

extern const Family hunyuan_v1_dense{
    .model_type = "hunyuan_v1_dense",
    .summary = "Like Llama, with QK-Norm; head_dim is required.",
    .classes = {"HunYuanDenseV1", heads::decoder | heads::sequence},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
