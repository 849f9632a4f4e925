// Cohere's Command R and its successors: attention and feed-forward run in parallel after one norm, and the head is tied by default.
// Source: transformers, models/cohere, cohere2, cohere_compass.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaDecoder side_by_side{.norms = parallel_norms, .norm = Norm::unbiased, .tied = true};
constexpr LlamaType cohere_type{.sizes = {8192, 22528, 40, 256000, 64},
                                .head_dim = attribute,
                                .switches =
                                    [](Config c, LlamaDecoder& m) {
                                      attention_bias(c, m);
                                      if (c.flag("use_qk_norm", false, Null::allowed)) m.attention.head_norms = QkNorm::each;
                                    },
                                .layout = side_by_side};
constexpr LlamaType cohere2_type{
    .sizes = {8192, 22528, 40, 256000, 64}, .head_dim = attribute, .switches = attention_bias, .layout = side_by_side};

constexpr Architecture compass_classes[] = {
    {"CohereCompassForCausalLM", Head::causal_lm, "model"},
    {"CohereCompassTextModel", Head::none, ""},
    {"CohereCompassTextForSequenceClassification", Head::sequence_classification, "model"},
};

}  // namespace

extern const Family cohere{
    .model_type = "cohere",
    .summary = "Parallel attention and MLP with a shared norm; tied embeddings.",
    .classes = {"Cohere", heads::decoder},
    .backbone = of_type<cohere_type>,
    .cache = caches::all_tokens,
};
extern const Family cohere2{
    .model_type = "cohere2",
    .summary = "Like Cohere, with sliding-window attention in most layers.",
    .classes = {"Cohere2", heads::decoder},
    .backbone = of_type<cohere2_type>,
    .cache = caches::every(4096, 4, "sliding_window_pattern"),
};
extern const Family cohere_compass_text{
    .model_type = "cohere_compass_text",
    .summary = "Text model of Cohere Compass: like Cohere.",
    .classes = {.listed = compass_classes},
    .backbone = of_type<cohere2_type>,
    .cache = caches::listed(4096),
};

}  // namespace param_ledger
