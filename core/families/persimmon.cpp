// Persimmon: a fused query, key and value projection, by default layer norms on query and key heads, an ungated feed-forward block, and
// biases in attention and feed-forward. Source: transformers, models/persimmon.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {4096, 16384, 36, 262144, 64},
                         .kv_heads = absent,
                         .head_dim = absent,
                         .switches =
                             [](Config c, LlamaDecoder& m) {
                               if (c.flag("qk_layernorm", true)) m.attention.head_norms = QkNorm::per_head;
                             },
                         .layout = {.attention = {.qkv_bias = true,
                                                  .output_bias = true,
                                                  .head_norm_kind = Norm::layer,
                                                  .fused = "query_key_value",
                                                  .o = "dense",
                                                  .q_norm = "q_layernorm",
                                                  .k_norm = "k_layernorm"},
                                    .mlp_bias = true,
                                    .feed_forward = FeedForward::plain,
                                    .up = "dense_h_to_4h",
                                    .down = "dense_4h_to_h",
                                    .norm = Norm::layer,
                                    .last_norm = "final_layernorm"}};

}  // namespace

extern const Family persimmon{
    .model_type = "persimmon",
    .summary = "Multi-head attention with QK-Norm, fused QKV projection, ungated MLP, biases.",
    .classes = {"Persimmon", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
