// VisualBERT: like BERT, with a detector's image regions after the words.
// Source: transformers, models/visual_bert.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType plain{.sizes = {768, 3072, 12, 30522, 12}, .scaled_by_head_dim = false, .decodes = false};

void image(Config c, Builder& b, const BertSizes& s) {
  const Expr width = c.integer("visual_embedding_dim", 512);
  b.scope(Part::embedding, "embeddings", [&] {
    embedding(b, "visual_token_type_embeddings", *s.types, s.d);
    embedding(b, "visual_position_embeddings", s.positions, s.d);
    linear(b, "visual_projection", width, s.d, true);
  });
  if (c.flag("bypass_transformer", false)) b.scope("additional_layer", [&] { bert_layer(b, s, plain); });
}

constexpr BertType type{.sizes = plain.sizes, .pooler = Pooler::everywhere, .scaled_by_head_dim = false, .decodes = false, .more = image};

constexpr Architecture classes[] = {{"VisualBertForMultipleChoice", Head::multiple_choice, "visual_bert"},
                                    {"VisualBertForQuestionAnswering", Head::question_answering, "visual_bert"},
                                    {"VisualBertForVisualReasoning", Head::question_answering, "visual_bert"},
                                    {"VisualBertForRegionToPhraseAlignment", Head::other, "visual_bert"}};
constexpr Architecture pretrained{"", Head::pretraining, "visual_bert"};

/// Records the heads. For phrases, single-head attention from words to image regions predicts the region of a phrase.
void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  if (kind == Head::multiple_choice || kind == Head::question_answering)
    return b.part(Part::output_head,
                  [&] { linear(b, "cls", m.hidden, kind == Head::multiple_choice ? c.literal(1) : num_labels(c), true); });
  if (kind != Head::other) return bert_head(c, b, m, type);
  b.as(pretrained, [&] { bert_head(c, b, m, type); });
  const Expr h = floor_divide(m.hidden, c.integer("num_attention_heads", 12, 1));
  b.scope(Part::output_head, "attention", [&] {
    linear(b, "query", m.hidden, h, true, TensorRole::query);
    linear(b, "key", m.hidden, h, true, TensorRole::key);
    linear(b, "value", m.hidden, h, true, TensorRole::value);
  });
}

}  // namespace

extern const Family visual_bert{
    .model_type = "visual_bert",
    .summary = "Vision-language encoder: BERT on words and detected image regions.",
    .classes = {.prefix = "VisualBert", .heads = heads::base | heads::pretraining, .backbone = "visual_bert", .listed = classes},
    .backbone = bert_of_type<type>,
    .head = head,
};

}  // namespace param_ledger
