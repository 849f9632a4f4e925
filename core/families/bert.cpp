// BERT: post-norm encoder with learned positions and segment types, biases everywhere; most classes differ in pooler and head.
// Source: transformers, models/bert.

#include "core/blocks/encoder.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"BertLMHeadModel", Head::causal_lm, "bert"},
    {"BertModel", Head::none, ""},
    {"BertForMaskedLM", Head::masked_lm, "bert"},
    {"BertForPreTraining", Head::pretraining, "bert"},
    {"BertForSequenceClassification", Head::sequence_classification, "bert"},
    {"BertForTokenClassification", Head::token_classification, "bert"},
    {"BertForQuestionAnswering", Head::question_answering, "bert"},
    {"BertForMultipleChoice", Head::multiple_choice, "bert"},
    {"BertForNextSentencePrediction", Head::next_sentence_prediction, "bert"},
};

Backbone backbone(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, {768, 3072, 12, 30522, 12});
  const Tensor words = bert_embeddings(c, b, s);
  bert_layers(c, b, "encoder.layer", s);
  if (has_pooler(b.architecture().head)) b.part(Part::output_head, [&] { linear(b, "pooler.dense", s.d, s.d, true); });
  return {.hidden = s.d, .embedding = words, .tie_by_default = true, .language_model = "cls.predictions"};
}

}  // namespace

const Family bert{"bert",   "Encoder with learned positions and segment types, biases everywhere.", {.listed = classes}, {}, backbone,
                  bert_head};

}  // namespace param_ledger
