// Phi-3 and Phi-4: like Llama, with a fused query, key and value projection and fused gate and up projections.
// Source: transformers, models/phi3.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {3072, 8192, 32, 32064, 32},
                         .head_dim = attribute,
                         .layout = {.attention = {.fused = "qkv_proj"}, .feed_forward = FeedForward::gated_fused}};

}  // namespace

extern const Family phi3{
    .model_type = "phi3",
    .summary = "Like Llama, with fused QKV and gate-up projections.",
    .classes = {"Phi3", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<type>,
    .cache = caches::windowed(),
};

}  // namespace param_ledger
