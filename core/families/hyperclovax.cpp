// HyperCLOVA X: like Granite, with additional norms after the blocks unless use_post_norm is false. Source: transformers,
// models/hyperclovax.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {4096, 11008, 32, 32000, 32},
                         .switches =
                             [](Config c, LlamaDecoder& m) {
                               both_biases(c, m);
                               if (c.flag("use_post_norm", true))
                                 m.norms = {.after_attention = "post_norm1", .after_feed_forward = "post_norm2"};
                             },
                         .divisible = true};

}  // namespace

extern const Family hyperclovax{
    .model_type = "hyperclovax",
    .summary = "Like Granite, with additional post-norms.",
    .classes = {"HyperCLOVAX", heads::decoder},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
