// Qwen3-VL, Qwen3.5 and after: a vision transformer with learned positions, whose patches are merged and projected into the
// tokens of the text model.
// Source: transformers, models/qwen3_vl, qwen3_vl_moe, qwen3_5, qwen3_5_moe, qwen4_exp.

#include "core/blocks/qwen_vision.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"
#include "core/sparse_decoders.hpp"

namespace param_ledger {

extern const Family qwen3_5_moe_text, qwen3_5_text, qwen4_exp_text;  // of files of their own

namespace {

constexpr LlamaType text_type{.sizes = {4096, 22016, 32, 151936, 32},
                              .kv_heads = fixed_not_null(32),
                              .head_dim = fixed(128),
                              .switches = attention_bias,
                              .layout = {.attention = {.head_norms = HeadNorms::per_head}}};
constexpr Family text_model{
    .backbone = of_type<text_type>,
};

/// As Qwen3-MoE's, under other defaults, with the experts of a layer in one tensor.
Backbone moe_text(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 5632, 24, 151936, 16});
  const Attention a = attention_fields(c, s, fixed(16), unless_zero, {.head_norms = HeadNorms::per_head});
  const Mixture m =
      mixture_fields(c, s.d, {.count = 60, .active = 4, .inner = 1408, .count_field = "num_experts"}, {.layout = ExpertLayout::stacked});
  return sparse_decoder(b, {s, {.layers = sparse_layers(c, s.n_layers), .mixture = m, .dense = s.f}}, a);
}
constexpr Alias moe_aliases[] = {{"num_local_experts", "num_experts"}};
constexpr Family moe_text_model{
    .aliases = moe_aliases,
    .backbone = moe_text,
};

/// The class of the text model alone takes it out of the same configuration.
template <const Family& text, bool deepstack = false>
Backbone backbone(Config c, Builder& b) {
  if (b.architecture().head == Head::causal_lm) return nested(c.section("text_config"), b, "", text);
  b.tower(Part::vision, "visual", [&] { qwen3_vision(c.section("vision_config").with(qwen_vision_aliases), b, deepstack); });
  return nested(c.section("text_config"), b, "language_model", text);
}

void head(Config c, Builder& b, const Backbone& m) {
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

}  // namespace

extern const Family qwen3_vl{
    .model_type = "qwen3_vl",
    .summary = "Qwen3 with a vision tower.",
    .classes = {"Qwen3VL", heads::conditional | heads::base},
    .backbone = backbone<text_model, true>,
    .cache = caches::all_tokens,
};
extern const Family qwen3_vl_moe{
    .model_type = "qwen3_vl_moe",
    .summary = "Qwen3-MoE with a vision tower.",
    .classes = {"Qwen3VLMoe", heads::conditional | heads::base},
    .backbone = backbone<moe_text_model, true>,
    .cache = caches::all_tokens,
};
extern const Family qwen3_5{
    .model_type = "qwen3_5",
    .summary = "Qwen3.5: vision and text.",
    .classes = {.listed = qwen3_5_classes},
    .backbone = backbone<qwen3_5_text>,
    .head = head,
    .cache = caches::of_text_model,
    .predicts = {.place = PredictionLayers::Place::apart, .field = "mtp_num_hidden_layers", .section = "text_config"},
};
extern const Family qwen3_5_moe{
    .model_type = "qwen3_5_moe",
    .summary = "Qwen3.5 with experts: vision and text.",
    .classes = {.listed = qwen3_5_moe_classes},
    .backbone = backbone<qwen3_5_moe_text>,
    .head = head,
    .cache = caches::of_text_model,
    .predicts = {.place = PredictionLayers::Place::apart, .field = "mtp_num_hidden_layers", .section = "text_config"},
};
extern const Family qwen4_exp{
    .model_type = "qwen4_exp",
    .summary = "Qwen4 (experimental): vision and text.",
    .classes = {.listed = qwen4_exp_classes},
    .backbone = backbone<qwen4_exp_text>,
    .head = head,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
