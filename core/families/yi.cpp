// Yi as first published: Llama under a name of its own, with other names for the norms. And StableLM as first published: with layer norms.
// Source: modeling_yi.py as published with Yi-6B; modeling_stablelm_epoch.py as published with stable-code-3b.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType yi_type{.sizes = {4096, 11008, 32, 64000, 32},
                            .kv_heads = fixed_not_null(4),
                            .head_dim = absent,
                            .divisible = true,
                            .layout = {.norms = {"ln1", {}, "ln2"}}};
constexpr LlamaType stablelm_type{.sizes = {2560, 6912, 32, 50304, 32},
                                  .kv_heads = fixed(32),
                                  .head_dim = absent,
                                  .switches = [](Config c, LlamaDecoder& m) { m.attention.qkv_bias = c.flag("use_qkv_bias", false); },
                                  .divisible = true,
                                  .layout = {.norm = Norm::layer}};

}  // namespace

extern const Family stablelm_epoch{
    .model_type = "stablelm_epoch",
    .summary = "StableLM as first published: as Llama, with layer norms.",
    .classes = {"StableLMEpoch", heads::decoder},
    .backbone = of_type<stablelm_type>,
    .own_code = true,
};
extern const Family yi{
    .model_type = "Yi",
    .summary = "Yi as first published: Llama under other names.",
    .classes = {"Yi", heads::decoder | heads::sequence},
    .backbone = of_type<yi_type>,
    .own_code = true,
};

}  // namespace param_ledger
