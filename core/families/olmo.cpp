// OLMo: like Llama, but its norms have no weights. From OLMo 2 on, they have weights and come after each block instead of before it, and
// there are norms over all query heads and over all key heads. Source: transformers, models/olmo, olmo2, olmo3.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType olmo_type{
    .sizes = {4096, 11008, 32, 50304, 32}, .head_dim = attribute, .switches = attention_bias, .layout = {.norm = Norm::none}};
constexpr LlamaType olmo2_type{.sizes = {4096, 11008, 32, 50304, 32},
                               .head_dim = attribute,
                               .switches = attention_bias,
                               .layout = {.attention = {.head_norms = QkNorm::whole}, .norms = post_norms}};

}  // namespace

extern const Family olmo{
    .model_type = "olmo",
    .summary = "Like Llama, with parameter-free norms.",
    .classes = {"Olmo", heads::decoder | heads::sequence},
    .backbone = of_type<olmo_type>,
    .cache = caches::all_tokens,
};
extern const Family olmo2{
    .model_type = "olmo2",
    .summary = "Like Llama, with norms after each block instead of before, and QK-Norm over all heads.",
    .classes = {"Olmo2", heads::decoder | heads::sequence},
    .backbone = of_type<olmo2_type>,
    .cache = caches::all_tokens,
};
extern const Family olmo3{
    .model_type = "olmo3",
    .summary = "Like OLMo 2, with mostly sliding-window attention.",
    .classes = {"Olmo3", heads::decoder | heads::sequence},
    .backbone = of_type<olmo2_type>,
    .cache = caches::every(4096, 4),
};

}  // namespace param_ledger
