// Helium: as Llama, with a projection back from attention that is as wide as the hidden size whatever the heads are.
// Source: transformers, models/helium.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{
    .sizes = {2560, 7040, 24, 48000, 20}, .kv_heads = fixed(20), .head_dim = fixed(128), .switches = [](Config c, LlamaDecoder& m) {
      m.attention.output_from = m.attention.hidden;
      m.attention.qkv_bias = c.flag("attention_bias", false);
      mlp_bias(c, m);
    }};

}  // namespace

const Family helium{
    "helium", "As Llama, with a head size of its own.", {"Helium", heads::decoder | heads::sequence | heads::token}, {}, of_type<type>};

}  // namespace param_ledger
