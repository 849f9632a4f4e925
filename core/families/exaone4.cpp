// EXAONE 4: like Llama, with QK-Norm, and with norms after the blocks instead of before them. Source: transformers, models/exaone4.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {4096, 16384, 32, 102400, 32},
                         .kv_heads = fixed(32),
                         .head_dim = attribute,
                         .layout = {.attention = {.head_norms = QkNorm::per_head}, .norms = post_norms}};

}  // namespace

extern const Family exaone4{
    .model_type = "exaone4",
    .summary = "Like Llama, with norms after each block instead of before, and QK-Norm.",
    .classes = {"Exaone4", heads::all, "model", "transformer"},
    .backbone = of_type<type>,
    .cache = caches::every(4096, 4, "sliding_window_pattern"),
};

}  // namespace param_ledger
