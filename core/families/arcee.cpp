// Arcee: like Llama, with an ungated feed-forward block. Source: transformers, models/arcee.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{
    .sizes = {2560, 18432, 32, 32000, 32}, .switches = both_biases, .divisible = true, .layout = {.feed_forward = FeedForward::plain}};

}  // namespace

extern const Family arcee{
    .model_type = "arcee",
    .summary = "Like Llama, with an ungated MLP.",
    .classes = {"Arcee", heads::all, "model", "transformer"},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
