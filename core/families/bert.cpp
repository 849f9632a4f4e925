// BERT, with learned positions and segment types, and other model types with similar tensors. Each model type is described by a BertType.
// Most classes of a type differ only in the pooler and the head. Source: transformers, models/<type>.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertPredictions roberta_predictions{.module = "lm_head", .dense = "dense", .norm = "layer_norm"};

// `sizes` lists hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads.

constexpr BertType bert_itself{.sizes = {768, 3072, 12, 30522, 12}};
constexpr BertType bert_generation_type{
    .sizes = {1024, 4096, 24, 50358, 16}, .token_types = {}, .predictions = {.module = "lm_head", .dense = ""}, .pooler = Pooler::none};
constexpr BertType big_bird_type{
    .sizes = {768, 3072, 12, 50358, 12}, .positions = 4096, .pooler = Pooler::nearly_all, .dense_classifier = true, .bias_switch = true};
constexpr BertType electra_type{
    .sizes = {256, 1024, 12, 30522, 4},
    .factor = {"embedding_size", 128},
    .predictions = {"", "generator_predictions.dense", "generator_predictions.LayerNorm", "generator_lm_head", false},
    .pooler = Pooler::none,
    .dense_classifier = true};
constexpr BertType megatron_bert_type{
    .sizes = {1024, 4096, 24, 29056, 16}, .norms = {"", "ln", "ln", "encoder.ln"}, .scaled_by_head_dim = false};
constexpr BertType rembert_type{.sizes = {1152, 4608, 32, 250300, 18},
                                .factor = {"input_embedding_size", 256, "encoder.embedding_hidden_mapping_in", true},
                                .predictions = {.dense = "dense", .norm = "LayerNorm", .two_biases = false, .own_width = 1664},
                                .scaled_by_head_dim = false};
constexpr BertType roberta_type{.sizes = {768, 3072, 12, 50265, 12}, .predictions = roberta_predictions, .dense_classifier = true};
constexpr BertType roberta_prelayernorm_type{.sizes = {768, 3072, 12, 50265, 12},
                                             .norms = {"LayerNorm", "LayerNorm", "intermediate.LayerNorm", "LayerNorm"},
                                             .predictions = roberta_predictions,
                                             .dense_classifier = true};
constexpr BertType roformer_type{.sizes = {768, 3072, 12, 50000, 12},
                                 .positions = 1536,
                                 .factor = {"embedding_size", {}},
                                 .pooler = Pooler::none,
                                 .dense_classifier = true,
                                 .rotary = true,
                                 .two_spans = true};
constexpr BertType xlm_roberta_type{.sizes = {768, 3072, 12, 30522, 12}, .predictions = roberta_predictions, .dense_classifier = true};
constexpr BertType xlm_roberta_xl_type{.sizes = {2560, 10240, 36, 250880, 32},
                                       .positions = 514,
                                       .token_types = 1,
                                       .norms = {"", "self_attn_layer_norm", "LayerNorm", "encoder.LayerNorm"},
                                       .predictions = roberta_predictions,
                                       .dense_classifier = true};

/// Records ERNIE, which is BERT with optional task embeddings.
BackboneOutput ernie_backbone(Config c, Builder& b) {
  const BackboneOutput out = bert_backbone(c, b, bert_itself);
  const bool told = c.flag("use_task_id", false);
  const Expr tasks = c.integer("task_type_vocab_size", 3);
  if (told) embedding(b, "embeddings.task_type_embeddings", tasks, out.hidden);
  return out;
}

/// Records BigBird's head. For question answering it has a feed-forward block.
void big_bird_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::question_answering) return bert_head(c, b, m, big_bird_type);
  b.scope(Part::output_head, "qa_classifier", [&] {
    const Expr f = c.integer("intermediate_size", big_bird_type.sizes.inner);
    linear(b, "intermediate.dense", m.hidden, f, true, TensorRole::up);
    linear(b, "output.dense", f, m.hidden, true);
    layer_norm(b, "output.LayerNorm", m.hidden);
    linear(b, "qa_outputs", m.hidden, c.literal(2), true);
  });
}

/// Records the head, which for multiple choice gives one score per choice. `projects`: the default of summary_use_proj, which adds a
/// projection before the classifier.
template <const BertType& type, bool projects>
void choice_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::multiple_choice) return bert_head(c, b, m, type);
  const Expr labels = num_labels(c);
  const bool to_labels = c.flag("summary_proj_to_labels", false) && labels.decide() > 0;
  b.part(Part::output_head, [&] {
    if (c.flag("summary_use_proj", projects)) linear(b, "sequence_summary.summary", m.hidden, to_labels ? labels : m.hidden, true);
    linear(b, "classifier", m.hidden, c.literal(1), true);
  });
}

/// Records ELECTRA's head. For pre-training it predicts which tokens were replaced.
void electra_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::pretraining) return choice_head<electra_type, true>(c, b, m);
  b.scope(Part::output_head, "discriminator_predictions", [&] {
    linear(b, "dense", m.hidden, m.hidden, true);
    linear(b, "dense_prediction", m.hidden, c.literal(1), true);
  });
}

constexpr Architecture bert_classes[] = {
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
constexpr Architecture bert_generation_classes[] = {{"BertGenerationDecoder", Head::causal_lm, "bert"},
                                                    {"BertGenerationEncoder", Head::none, ""}};
constexpr unsigned bert_heads = heads::encoder | heads::next_sentence | heads::pretraining;

}  // namespace

extern const Family bert = bert_family<bert_itself>("bert", "Bidirectional encoder with learned positions and token type embeddings.",
                                                    {.listed = bert_classes}, caches::nothing);
extern const Family bert_generation =
    bert_family<bert_generation_type>("bert-generation", "Like BERT, without token types or a pooler, as an encoder or a decoder.",
                                      {.listed = bert_generation_classes}, caches::nothing);
extern const Family big_bird{
    .model_type = "big_bird",
    .summary = "Like BERT, with sparse attention for long documents.",
    .classes = {"BigBird", heads::encoder | heads::pretraining, "bert"},
    .backbone = bert_of_type<big_bird_type>,
    .head = big_bird_head,
};
extern const Family camembert =
    bert_family<xlm_roberta_type>("camembert", "Like RoBERTa, for French.", {"Camembert", heads::encoder, "roberta"}, caches::nothing);
extern const Family data2vec_text = bert_family<xlm_roberta_type>("data2vec-text", "Like RoBERTa, pretrained by self-distillation.",
                                                                  {"Data2VecText", heads::encoder, "data2vec_text"}, caches::nothing);
extern const Family electra{
    .model_type = "electra",
    .summary = "Like BERT, with small projected embeddings, pretrained by replaced token detection.",
    .classes = {"Electra", heads::encoder | heads::pretraining, "electra"},
    .backbone = bert_of_type<electra_type>,
    .head = electra_head,
    .cache = caches::nothing,
};
extern const Family ernie{
    .model_type = "ernie",
    .summary = "Like BERT, with task type embeddings.",
    .classes = {"Ernie", bert_heads, "ernie"},
    .backbone = ernie_backbone,
    .head = bert_head_of_type<bert_itself>,
    .cache = caches::nothing,
};
extern const Family megatron_bert =
    bert_family<megatron_bert_type>("megatron-bert", "Like BERT, with pre-norm layers.", {"MegatronBert", bert_heads, "bert"});
extern const Family rembert = bert_family<rembert_type>(
    "rembert", "Like BERT, with small input embeddings and a larger, untied output embedding.", {"RemBert", heads::encoder, "rembert"});
extern const Family roberta = bert_family<roberta_type>("roberta", "Like BERT, with two-layer heads and no next sentence prediction.",
                                                        {"Roberta", heads::encoder, "roberta"}, caches::nothing);
extern const Family roberta_prelayernorm =
    bert_family<roberta_prelayernorm_type>("roberta-prelayernorm", "Like RoBERTa, with pre-norm layers.",
                                           {"RobertaPreLayerNorm", heads::encoder, "roberta_prelayernorm"}, caches::nothing);
extern const Family roformer{
    .model_type = "roformer",
    .summary = "Like BERT, with rotary position embeddings (RoPE).",
    .classes = {"RoFormer", heads::encoder, "roformer"},
    .backbone = bert_of_type<roformer_type>,
    .head = choice_head<roformer_type, false>,
};
extern const Family xlm_roberta =
    bert_family<xlm_roberta_type>("xlm-roberta", "Like RoBERTa, multilingual.", {"XLMRoberta", heads::encoder, "roberta"}, caches::nothing);
extern const Family xlm_roberta_xl = bert_family<xlm_roberta_xl_type>("xlm-roberta-xl", "Like XLM-RoBERTa, larger, with pre-norm layers.",
                                                                      {"XLMRobertaXL", heads::encoder, "roberta"}, caches::nothing);

}  // namespace param_ledger
