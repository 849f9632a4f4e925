// Nemotron: like Llama, with layer norms and plain feed-forward blocks. Source: transformers, models/nemotron.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {6144, 24576, 32, 256000, 48},
                         .kv_heads = required(8),
                         .switches = both_biases,
                         .layout = {.feed_forward = FeedForward::plain, .norm = Norm::layer}};

}  // namespace

extern const Family nemotron{
    .model_type = "nemotron",
    .summary = "Like Llama, with LayerNorm and an ungated MLP (squared ReLU).",
    .classes = {"Nemotron", heads::all, "model", "transformer"},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
