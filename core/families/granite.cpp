// Granite: like Llama, with scaling factors, which are not parameters. The type with sliding windows (granite_swa) also has attention
// sinks.
// Source: transformers, models/granite, granite_docling, granite_swa.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

// Attention scores are scaled by attention_multiplier, not by the head dimension.
constexpr LlamaType granite_type{.sizes = {4096, 11008, 32, 32000, 32},
                                 .head_dim = attribute,
                                 .switches = both_biases,
                                 .layout = {.attention = {.scaled_by_head_dim = false}}};
constexpr LlamaType granite_docling_type{.sizes = {1024, 2048, 28, 133800, 16},
                                         .kv_heads = fixed_not_null(4),
                                         .head_dim = attribute,
                                         .switches = both_biases,
                                         .layout = {.attention = {.scaled_by_head_dim = false}, .tied = true}};
constexpr LlamaType granite_swa_type{.sizes = {2560, 8192, 24, 100352, 20},
                                     .kv_heads = fixed_not_null(4),
                                     .head_dim = attribute,
                                     .switches = both_biases,
                                     .layout = {.attention = {.scaled_by_head_dim = false, .sinks = true}, .tied = true}};

constexpr Architecture docling_classes[] = {{"GraniteDoclingTextModel", Head::none, ""}};

}  // namespace

extern const Family granite{
    .model_type = "granite",
    .summary = "Like Llama, with constant scaling factors.",
    .classes = {"Granite", heads::decoder},
    .backbone = of_type<granite_type>,
    .cache = caches::all_tokens,
};
extern const Family granite_docling_text{
    .model_type = "granite_docling_text",
    .summary = "Text model of Granite Docling: like Granite.",
    .classes = {.listed = docling_classes},
    .backbone = of_type<granite_docling_type>,
};
extern const Family granite_swa{
    .model_type = "granite_swa",
    .summary = "Like Granite, with sliding-window attention, attention sinks and tied embeddings.",
    .classes = {"GraniteSWA", heads::decoder},
    .backbone = of_type<granite_swa_type>,
    .cache = caches::first_of(128, 4),
};

}  // namespace param_ledger
