// Nemotron: as Llama, with layer norms and two matrices in each feed-forward block.
// Source: transformers, models/nemotron.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {6144, 24576, 32, 256000, 48},
                         .kv_heads = required(8),
                         .switches = both_biases,
                         .layout = {.feed_forward = FeedForward::plain, .norm = Norm::layer}};

}  // namespace

const Family nemotron{"nemotron",
                      "As Llama, with layer norms and two matrices in each feed-forward block.",
                      {"Nemotron", heads::all, "model", "transformer"},
                      {},
                      of_type<type>};

}  // namespace param_ledger
