// Qwen3-VL, Qwen3.5 and later: a vision transformer with learned positions, whose patches are merged and projected to the text model.
// Source: transformers, models/qwen3_vl, qwen3_vl_moe, qwen3_5, qwen3_5_moe, qwen4_exp, cosmos3_omni, cohere_compass.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/qwen_vision.hpp"

namespace param_ledger {

extern const Family cohere_compass_text;                             // defined in cohere.cpp
extern const Family qwen3_5_moe_text, qwen3_5_text, qwen4_exp_text;  // defined in qwen3_next.cpp and qwen4_exp_text.cpp
extern const Family qwen3_vl_text, qwen3_vl_moe_text, qwen3_vl_vision, qwen3_5_vision, cohere_compass_vision;

namespace {

constexpr LlamaType text_type{.sizes = {4096, 22016, 32, 151936, 32},
                              .kv_heads = fixed_not_null(32),
                              .head_dim = fixed(128),
                              .switches = attention_bias,
                              .layout = {.attention = {.head_norms = QkNorm::per_head}}};

/// Records Qwen3-VL-MoE's text model. It is like Qwen3-MoE, with different defaults and stacked experts.
BackboneOutput moe_text(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 5632, 24, 151936, 16});
  const Attention a = attention_fields(c, s, fixed(16), unless_zero, {.head_norms = QkNorm::per_head});
  const Mixture m =
      mixture_fields(c, s.d, {.count = 60, .active = 4, .inner = 1408, .count_field = "num_experts"}, {.layout = ExpertLayout::stacked});
  return sparse_decoder(b, {s, {.layers = sparse_layers(c, s.n_layers), .mixture = m, .dense = s.f}}, a);
}
constexpr Alias moe_aliases[] = {{"num_local_experts", "num_experts"}};

/// Cosmos 3's files have other names for the text model's attention tensors and, except for the bare class, no module prefixes for the text
/// model and the tower.
constexpr LlamaType cosmos_text = [] {
  LlamaType out = text_type;
  Attention& a = out.layout.attention;
  a.q = "to_q", a.k = "to_k", a.v = "to_v", a.o = "to_out", a.q_norm = "norm_q", a.k_norm = "norm_k";
  return out;
}();
constexpr Family cosmos_text_model{
    .backbone = of_type<cosmos_text>,
};

BackboneOutput cosmos_backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none;
  Config text = c.section("text_config");
  require_type(text, "qwen3_vl_text");
  b.tower(Tower::vision, bare ? "visual" : "", [&] { nested(c.section("vision_config"), b, "", qwen3_vl_vision); });
  return nested(text, b, bare ? "language_model" : "", cosmos_text_model);
}

template <bool deepstack>
BackboneOutput vision(Config c, Builder& b) {
  return qwen3_vision(c, b, deepstack);
}

/// Records the model. The causal class contains only the text model, although its configuration describes the whole model.
template <const Family& text, const Family& tower = qwen3_5_vision>
BackboneOutput backbone(Config c, Builder& b) {
  if (b.architecture().head == Head::causal_lm) return nested(c.section("text_config"), b, "", text);
  b.tower(Tower::vision, "visual", [&] { nested(c.section("vision_config"), b, "", tower); });
  return nested(c.section("text_config"), b, "language_model", text);
}

/// Records the model. Only the top level's tie_word_embeddings decides whether the head is tied, although text_config has other defaults.
BackboneOutput compass_backbone(Config c, Builder& b) {
  BackboneOutput out = backbone<cohere_compass_text, cohere_compass_vision>(c, b);
  out.tie_by_default = false;
  return out;
}

/// Records the model. The model_type of text_config must be that of `text`, because it determines the names of the experts.
template <const Family& text>
BackboneOutput backbone_with_experts(Config c, Builder& b) {
  require_type(c.section("text_config"), text.model_type);
  return backbone<text>(c, b);
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  decoder_head(b.architecture().head == Head::causal_lm ? c.section("text_config") : c, b, m);
}

constexpr Architecture qwen3_5_classes[] = {
    {"Qwen3_5ForConditionalGeneration", Head::conditional_generation, "model"},
    {"Qwen3_5Model", Head::none, ""},
    {"Qwen3_5ForCausalLM", Head::causal_lm, "model"},
    {"Qwen3_5ForSequenceClassification", Head::sequence_classification, "model"},
    {"Qwen3_5ForTokenClassification", Head::token_classification, "model"},
};
constexpr Architecture qwen3_5_moe_classes[] = {
    {"Qwen3_5MoeForConditionalGeneration", Head::conditional_generation, "model"},
    {"Qwen3_5MoeModel", Head::none, ""},
    {"Qwen3_5MoeForCausalLM", Head::causal_lm, "model"},
};
constexpr Architecture qwen4_exp_classes[] = {
    {"Qwen4ExpForConditionalGeneration", Head::conditional_generation, "model"},
    {"Qwen4ExpModel", Head::none, ""},
    {"Qwen4ExpForCausalLM", Head::causal_lm, "model"},
};
constexpr Architecture qwen3_vl_vision_classes[] = {{"Qwen3VLVisionModel", Head::none, ""}};
constexpr Architecture qwen3_vl_moe_vision_classes[] = {{"Qwen3VLMoeVisionModel", Head::none, ""}};
constexpr Architecture qwen3_5_vision_classes[] = {{"Qwen3_5VisionModel", Head::none, ""}};
constexpr Architecture qwen3_5_moe_vision_classes[] = {{"Qwen3_5MoeVisionModel", Head::none, ""}};
constexpr Architecture qwen4_exp_vision_classes[] = {{"Qwen4ExpVisionModel", Head::none, ""}};
constexpr Architecture cohere_compass_vision_classes[] = {{"CohereCompassVisionModel", Head::none, ""}};
constexpr Architecture text_classes[] = {{"Qwen3VLTextModel", Head::none, ""}};
constexpr Architecture moe_text_classes[] = {{"Qwen3VLMoeTextModel", Head::none, ""}};

}  // namespace

extern const Family qwen3_vl{
    .model_type = "qwen3_vl",
    .summary = "Vision-language model: Qwen3 with a vision encoder.",
    .classes = {"Qwen3VL", heads::conditional | heads::base},
    .backbone = backbone<qwen3_vl_text, qwen3_vl_vision>,
    .cache = caches::of_text_model,
};
extern const Family cohere_compass{
    .model_type = "cohere_compass",
    .summary = "Vision-language model of Cohere: a text model like Command R with Qwen3-VL's vision encoder.",
    .classes = {"CohereCompass", heads::conditional | heads::base},
    .backbone = compass_backbone,
    .cache = caches::of_text_model,
};
extern const Family cosmos3_omni{
    .model_type = "cosmos3_omni",
    .summary = "Vision-language model of Cosmos 3: like Qwen3-VL.",
    .classes = {"Cosmos3Omni", heads::conditional | heads::base, ""},
    .backbone = cosmos_backbone,
};
extern const Family qwen3_vl_moe{
    .model_type = "qwen3_vl_moe",
    .summary = "Vision-language model: Qwen3-MoE with a vision encoder.",
    .classes = {"Qwen3VLMoe", heads::conditional | heads::base},
    .backbone = backbone<qwen3_vl_moe_text, qwen3_vl_vision>,
    .cache = caches::of_text_model,
};
extern const Family qwen3_5{
    .model_type = "qwen3_5",
    .summary = "Vision-language model: Qwen3.5.",
    .classes = {.listed = qwen3_5_classes},
    .backbone = backbone<qwen3_5_text>,
    .head = head,
    .cache = caches::of_text_model,
    .predicts = {.place = PredictionLayers::Place::apart, .field = "mtp_num_hidden_layers", .section = "text_config"},
};
extern const Family qwen3_5_moe{
    .model_type = "qwen3_5_moe",
    .summary = "Vision-language model: Qwen3.5 with a mixture of experts.",
    .classes = {.listed = qwen3_5_moe_classes},
    .backbone = backbone_with_experts<qwen3_5_moe_text>,
    .head = head,
    .cache = caches::of_text_model,
    .predicts = {.place = PredictionLayers::Place::apart, .field = "mtp_num_hidden_layers", .section = "text_config"},
};
extern const Family qwen4_exp{
    .model_type = "qwen4_exp",
    .summary = "Vision-language model: Qwen4 (experimental).",
    .classes = {.listed = qwen4_exp_classes},
    .backbone = backbone_with_experts<qwen4_exp_text>,
    .head = head,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

extern const Family qwen3_vl_text{
    .model_type = "qwen3_vl_text",
    .summary = "Text model of Qwen3-VL.",
    .classes = {.listed = text_classes},
    .backbone = of_type<text_type>,
    .cache = caches::all_tokens,
};
extern const Family qwen3_vl_moe_text{
    .model_type = "qwen3_vl_moe_text",
    .summary = "Text model of Qwen3-VL-MoE.",
    .classes = {.listed = moe_text_classes},
    .aliases = moe_aliases,
    .backbone = moe_text,
    .cache = caches::all_tokens,
};
extern const Family qwen3_vl_vision{
    .model_type = "qwen3_vl_vision",
    .summary = "Vision encoder of Qwen3-VL.",
    .classes = {.listed = qwen3_vl_vision_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision<true>,
};
extern const Family qwen3_vl_moe_vision{
    .model_type = "qwen3_vl_moe_vision",
    .summary = "Vision encoder of Qwen3-VL-MoE.",
    .classes = {.listed = qwen3_vl_moe_vision_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision<true>,
};
extern const Family qwen3_5_vision{
    .model_type = "qwen3_5_vision",
    .summary = "Vision encoder of Qwen3.5.",
    .classes = {.listed = qwen3_5_vision_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision<false>,
};
extern const Family qwen3_5_moe_vision{
    .model_type = "qwen3_5_moe_vision",
    .summary = "Vision encoder of Qwen3.5-MoE.",
    .classes = {.listed = qwen3_5_moe_vision_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision<false>,
};
extern const Family qwen4_exp_vision{
    .model_type = "qwen4_exp_vision",
    .summary = "Vision encoder of Qwen4 (experimental).",
    .classes = {.listed = qwen4_exp_vision_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision<false>,
};
extern const Family cohere_compass_vision{
    .model_type = "cohere_compass_vision",
    .summary = "Vision encoder of Cohere Compass.",
    .classes = {.listed = cohere_compass_vision_classes},
    .aliases = qwen_vision_aliases,
    .backbone = vision<true>,
};

}  // namespace param_ledger
