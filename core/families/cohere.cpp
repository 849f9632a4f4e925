// Cohere's Command R and its successors: attention and feed-forward read the same norm, side by side; tied head.
// Source: transformers, models/cohere, cohere2, cohere_compass.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr LlamaDecoder side_by_side{.norms = parallel_norms, .tied = true};
constexpr LlamaType cohere_type{.sizes = {8192, 22528, 40, 256000, 64},
                                .head_dim = share_or_getattr,
                                .switches =
                                    [](Config c, LlamaDecoder& m) {
                                      attention_bias(c, m);
                                      if (c.flag("use_qk_norm", false, Null::allowed)) m.attention.head_norms = HeadNorms::each;
                                    },
                                .layout = side_by_side};
constexpr LlamaType cohere2_type{
    .sizes = {8192, 22528, 40, 256000, 64}, .head_dim = share_or_getattr, .switches = attention_bias, .layout = side_by_side};

constexpr Architecture compass_classes[] = {
    {"CohereCompassForCausalLM", Head::causal_lm, "model"},
    {"CohereCompassTextModel", Head::none, ""},
    {"CohereCompassTextForSequenceClassification", Head::sequence_classification, "model"},
};

}  // namespace

const Family cohere{
    "cohere", "Attention and feed-forward side by side behind one norm; tied head.", {"Cohere", heads::decoder}, {}, of_type<cohere_type>};
const Family cohere2{"cohere2", "As Cohere; most layers attend to a window alone.", {"Cohere2", heads::decoder}, {}, of_type<cohere2_type>};
const Family cohere_compass_text{
    "cohere_compass_text", "As Cohere: the text model of Compass.", {.listed = compass_classes}, {}, of_type<cohere2_type>};

}  // namespace param_ledger
