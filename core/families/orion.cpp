// Orion: like Llama, with layer norms. Source: the code published with Orion-14B. transformers has no model type for it.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {4096, 15360, 40, 84608, 40},
                         .kv_heads = fixed(40),
                         .switches = [](Config, LlamaDecoder& m) { require_shares(m); },
                         .layout = {.norm = Norm::layer}};

}  // namespace

extern const Family orion{
    .model_type = "orion",
    .summary = "Like Llama, with LayerNorm.",
    .classes = {"Orion", heads::decoder},
    .backbone = of_type<type>,
    .own_code = true,
};

}  // namespace param_ledger
