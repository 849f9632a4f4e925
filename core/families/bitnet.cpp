// BitNet b1.58: like Llama, with norms before the output projection of attention and before the down projection. Some files pack weights
// into two bits each; unpacked weights are counted. Source: transformers, models/bitnet.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

void inner_norms(Builder& b, const LlamaDecoder& m) {
  rms_norm(b, "self_attn.attn_sub_norm", m.attention.hidden);
  rms_norm(b, "mlp.ffn_sub_norm", m.inner);
}

constexpr LlamaType type{.sizes = {2560, 6912, 30, 128256, 20},
                         .kv_heads = fixed_not_null(5),
                         .head_dim = attribute,
                         .switches = attention_bias,
                         .layout = {.more = inner_norms}};

}  // namespace

extern const Family bitnet{
    .model_type = "bitnet",
    .summary = "Like Llama, with ternary weights and sub-layer norms in attention and MLP.",
    .classes = {"BitNet", heads::decoder},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
