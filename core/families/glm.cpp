// GLM-4 9B and GLM-4-0414: like Llama, with fused gate and up projections, and by default with biases on query, key and value. GLM-4-0414
// has norms before and after each block. Source: transformers, models/glm, glm4.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

void qkv_bias(Config c, LlamaDecoder& m) { m.attention.qkv_bias = c.flag("attention_bias", true); }

constexpr LlamaType glm_type{.sizes = {4096, 13696, 40, 151552, 32},
                             .kv_heads = fixed(2),
                             .head_dim = fixed(128),
                             .switches = qkv_bias,
                             .layout = {.feed_forward = FeedForward::gated_fused}};
constexpr LlamaType glm4_type{
    .sizes = {4096, 13696, 40, 151552, 32},
    .kv_heads = fixed(2),
    .head_dim = fixed(128),
    .switches = qkv_bias,
    .layout = {.feed_forward = FeedForward::gated_fused,
               .norms = {.after_attention = "post_self_attn_layernorm", .after_feed_forward = "post_mlp_layernorm"}}};

}  // namespace

extern const Family glm{
    .model_type = "glm",
    .summary = "Like Llama, with a fused gate-up projection and QKV biases.",
    .classes = {"Glm", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<glm_type>,
    .cache = caches::all_tokens,
};
extern const Family glm4{
    .model_type = "glm4",
    .summary = "Like GLM, with pre- and post-norms.",
    .classes = {"Glm4", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<glm4_type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
