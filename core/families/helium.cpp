// Helium: like Llama, with a square output projection in attention, regardless of the number and dimension of the heads. Source:
// transformers, models/helium.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{
    .sizes = {2560, 7040, 24, 48000, 20}, .kv_heads = fixed(20), .head_dim = fixed(128), .switches = [](Config c, LlamaDecoder& m) {
      m.attention.output_from = m.attention.hidden;
      m.attention.qkv_bias = c.flag("attention_bias", false);
      mlp_bias(c, m);
    }};

}  // namespace

extern const Family helium{
    .model_type = "helium",
    .summary = "Like Llama, with a square output projection.",
    .classes = {"Helium", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
