// StarCoder2, Jais 2 and nanochat: like Llama, with plain feed-forward blocks. The first two have layer norms and, by default, biases;
// nanochat's norms have no parameters. Source: transformers, models/starcoder2, jais2, nanochat.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType jais2_type{.sizes = {3328, 26624, 32, 150272, 26},
                               .switches =
                                   [](Config c, LlamaDecoder& m) {
                                     m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", true);
                                     m.mlp_bias = c.flag("mlp_bias", true);
                                   },
                               .divisible = true,
                               .layout = {.feed_forward = FeedForward::plain, .norm = Norm::layer}};
constexpr LlamaType nanochat_type{.sizes = {768, 8192, 12, 50304, 6},
                                  .head_dim = attribute,
                                  .switches = attention_bias,
                                  .layout = {.feed_forward = FeedForward::plain, .up = "fc1", .down = "fc2", .norm = Norm::none}};
constexpr LlamaType starcoder2_type{
    .sizes = {3072, 12288, 30, 49152, 24},
    .kv_heads = fixed(2),
    .head_dim = unless_zero,
    .switches = [](Config c, LlamaDecoder& m) { m.attention.qkv_bias = m.attention.output_bias = m.mlp_bias = c.flag("use_bias", true); },
    .layout = {.feed_forward = FeedForward::plain, .up = "c_fc", .down = "c_proj", .norm = Norm::layer, .tied = true}};

}  // namespace

extern const Family jais2{
    .model_type = "jais2",
    .summary = "Like StarCoder2, with a separate head_dim and untied embeddings.",
    .classes = {"Jais2", heads::decoder},
    .backbone = of_type<jais2_type>,
    .cache = caches::all_tokens,
};
extern const Family nanochat{
    .model_type = "nanochat",
    .summary = "Like StarCoder2, without biases and with parameter-free norms.",
    .classes = {"NanoChat", heads::decoder},
    .backbone = of_type<nanochat_type>,
    .cache = caches::all_tokens,
};
extern const Family starcoder2{
    .model_type = "starcoder2",
    .summary = "Grouped-query attention, ungated MLP, biases, LayerNorm, tied embeddings.",
    .classes = {"Starcoder2", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<starcoder2_type>,
    .cache = caches::windowed(),
};

}  // namespace param_ledger
