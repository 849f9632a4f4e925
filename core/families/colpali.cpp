// ColPali and later document retrieval models: each output vector of a vision-language model is projected to the width embedding_dim.
// Source: transformers, models/colpali, colqwen2, colmodernvbert.

#include <algorithm>

#include "core/nn/layers.hpp"
#include "core/nn/nested.hpp"

namespace param_ledger {

namespace {

constexpr Text pali[] = {"paligemma"}, qwen[] = {"qwen2_vl", "qwen2_5_vl"}, bert[] = {"modernvbert"};

template <const auto& types>
BackboneOutput backbone(Config c, Builder& b) {
  Config section = c.section("vlm_config");
  const Expr width = c.integer("embedding_dim", 128);
  const Json type = section.peek("model_type");
  if (type.is(Json::Type::string) && std::none_of(std::begin(types), std::end(types), [&](Text one) { return one == type.string(); }))
    section.refuse(ErrorCode::unsupported, "model_type", concat({"is supported here only as \"", types[0], "\"."}));
  const Expr seen = nested_auto(section, b, "vlm", types[0]).hidden;
  b.part(Part::output_head, [&] { linear(b, "embedding_proj_layer", seen, width, true); });
  return {.hidden = width};
}

constexpr Architecture pali_classes[] = {{"ColPaliForRetrieval", Head::none, ""}};
constexpr Architecture qwen_classes[] = {{"ColQwen2ForRetrieval", Head::none, ""}};
constexpr Architecture bert_classes[] = {{"ColModernVBertForRetrieval", Head::none, ""}};

}  // namespace

extern const Family colmodernvbert{
    .model_type = "colmodernvbert",
    .summary = "Visual document retrieval: ModernVBERT with ColBERT-style multi-vector embeddings.",
    .classes = {.listed = bert_classes},
    .backbone = backbone<bert>,
};
extern const Family colpali{
    .model_type = "colpali",
    .summary = "Visual document retrieval: PaliGemma with ColBERT-style multi-vector embeddings.",
    .classes = {.listed = pali_classes},
    .backbone = backbone<pali>,
};
extern const Family colqwen2{
    .model_type = "colqwen2",
    .summary = "Visual document retrieval: Qwen2-VL with ColBERT-style multi-vector embeddings.",
    .classes = {.listed = qwen_classes},
    .backbone = backbone<qwen>,
};

}  // namespace param_ledger
