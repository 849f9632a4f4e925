// DPR: BERT without a pooler, as an encoder of questions or passages with an optional projection, and as a reader that extracts answers.
// Source: transformers, models/dpr.

#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 30522, 12}, .pooler = Pooler::none};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr projected = c.integer("projection_dim", 0);
  BackboneOutput out;
  b.scope("bert_model", [&] { out = bert_backbone(c, b, type); });
  require_positive(out.hidden);
  if (projected.decide() == 0) return out;
  b.part(Part::output_head, [&] { linear(b, "encode_proj", out.hidden, projected, true); });
  out.hidden = projected;
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::question_answering) return;
  b.scope(Part::output_head, "span_predictor", [&] {
    linear(b, "qa_outputs", m.hidden, c.literal(2), true);
    linear(b, "qa_classifier", m.hidden, c.literal(1), true);
  });
}

constexpr Architecture classes[] = {
    {"DPRQuestionEncoder", Head::none, "question_encoder"},
    {"DPRContextEncoder", Head::none, "ctx_encoder"},
    {"DPRReader", Head::question_answering, "span_predictor.encoder"},
};

}  // namespace

extern const Family dpr{
    .model_type = "dpr",
    .summary = "Dense passage retrieval: BERT encoders for questions and passages.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
