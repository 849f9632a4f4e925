// StableLM as first published: like Llama, with layer norms. Source: modeling_stablelm_epoch.py as published with stable-code-3b.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {2560, 6912, 32, 50304, 32},
                         .kv_heads = fixed(32),
                         .head_dim = absent,
                         .switches = [](Config c, LlamaDecoder& m) { m.attention.qkv_bias = c.flag("use_qkv_bias", false); },
                         .divisible = true,
                         .layout = {.norm = Norm::layer}};

}  // namespace

extern const Family stablelm_epoch{
    .model_type = "stablelm_epoch",
    .summary = "StableLM with its original code: like Llama, with LayerNorm.",
    .classes = {"StableLMEpoch", heads::decoder},
    .backbone = of_type<type>,
    .own_code = true,
};

}  // namespace param_ledger
