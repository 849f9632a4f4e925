// Configurations older than the field model_type: Google's bert_config.json of 2018, the similar files of ALBERT and NEZHA, and the
// config.json of GPT, GPT-2 and DistilBERT. ALBERT's, NEZHA's, GPT's and DistilBERT's files are recognised by keys of their own. Files of
// BERT and GPT-2 have no such keys, so a file counts as theirs only if it fits no other format. Source: google-research/bert and albert
// (modeling.py), brightmart/albert_zh (modeling.py), transformers (models/gpt2, openai; in version 4.46 models/deprecated/nezha).

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/text/gpt.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

extern const Family albert, bert, distilbert, gpt2, openai_gpt;

namespace {

/// Keys that are accepted although the backbone may not read them. A file without model_type is refused if it has any other unread key,
/// because it may belong to another model.
constexpr Text harmless[] = {"n_ctx",
                             "afn",
                             "n_special",
                             "activation_function",
                             "attn_pdrop",
                             "embd_pdrop",
                             "resid_pdrop",
                             "initializer_range",
                             "layer_norm_epsilon",
                             "finetuning_task",
                             "num_labels",
                             "output_attentions",
                             "output_hidden_states",
                             "output_past",
                             "pruned_heads",
                             "summary_activation",
                             "summary_first_dropout",
                             "summary_proj_to_labels",
                             "summary_type",
                             "summary_use_proj",
                             "predict_special_tokens",
                             "task_specific_params",
                             "torchscript",
                             "use_bfloat16",
                             "use_cache",
                             "is_decoder",
                             "bos_token_id",
                             "eos_token_id",
                             "pad_token_id",
                             "tokenizer_class",
                             "transformers_version",
                             "gradient_checkpointing",
                             "tie_word_embeddings",
                             "architectures",
                             "model_type",
                             "id2label",
                             "label2id",
                             "attention_probs_dropout_prob",
                             "hidden_act",
                             "hidden_dropout_prob",
                             "layer_norm_eps",
                             "directionality",
                             "pooler_fc_size",
                             "pooler_num_attention_heads",
                             "pooler_num_fc_layers",
                             "pooler_size_per_head",
                             "pooler_type",
                             "cls_token_id",
                             "sep_token_id",
                             "ln_type",
                             "net_structure_type",
                             "gap_size",
                             "num_memory_blocks",
                             "down_scale_factor",
                             "max_relative_position",
                             "label_smoothing",
                             "classifier_dropout",
                             "classifier_dropout_prob",
                             "position_embedding_type",
                             "_name_or_path",
                             "activation",
                             "attention_dropout",
                             "dropout",
                             "qa_dropout",
                             "seq_classif_dropout",
                             "sinusoidal_pos_embds",
                             "tie_weights_",
                             "torch_dtype",
                             "do_sample",
                             "max_length",
                             "min_length",
                             "num_beams",
                             "num_return_sequences",
                             "temperature",
                             "top_k",
                             "top_p",
                             "repetition_penalty",
                             "length_penalty",
                             "early_stopping",
                             "no_repeat_ngram_size",
                             "bad_words_ids",
                             "eos_token_ids",
                             "decoder_start_token_id",
                             "is_encoder_decoder",
                             "prefix",
                             "xla_device",
                             "problem_type",
                             "return_dict"};

void note_untyped(Builder& b, std::string_view whose) {
  b.note("model_type", concat({"model_type is missing. The keys are those of ", whose, ", so it is counted as ", b.architecture().name,
                               ". Give architectures if another class is meant."}));
}

constexpr Alias bert_aliases[] = {{"vocab_size_or_config_json_file", "vocab_size"}};

/// Refuses the files of models derived from BERT. They have BERT's keys, but are recognised by an additional key or by their sizes.
void refuse_descendants(Config c) {
  if (is_given(c, "embedding_size"))
    c.refuse(ErrorCode::unsupported, "embedding_size",
             "is a key of ALBERT and ELECTRA, which this file does not distinguish. Give model_type.");
  if (equal(c.integer("type_vocab_size", 2), 1) && equal(c.integer("max_position_embeddings", 512), 514))
    c.refuse(ErrorCode::unsupported, "type_vocab_size",
             "is 1 and max_position_embeddings is 514, as in RoBERTa. Give model_type as roberta or bert.");
}

BackboneOutput bert_config_backbone(Config c, Builder& b) {
  refuse_descendants(c);
  note_untyped(b, "BERT's bert_config.json of 2018");
  const BackboneOutput out = bert.backbone(c, b);
  refuse_unknown_keys(c, harmless);
  return out;
}
void bert_config_head(Config c, Builder& b, const BackboneOutput& m) { bert.head(c, b, m); }

BackboneOutput albert_config_backbone(Config c, Builder& b) {
  note_untyped(b, "ALBERT's albert_config.json of 2019");
  const BackboneOutput out = albert.backbone(c, b);
  refuse_unknown_keys(c, harmless);
  return out;
}
void albert_config_head(Config c, Builder& b, const BackboneOutput& m) { albert.head(c, b, m); }

/// NEZHA: BERT with relative positions that have no parameters.
constexpr BertType nezha_type{.sizes = {768, 3072, 12, 21128, 12}};

BackboneOutput nezha_backbone(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, nezha_type);
  if (!c.flag("use_relative_position", true))
    c.refuse(ErrorCode::unsupported, "use_relative_position", "must be true: with absolute positions this would be BERT.");
  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", s.vocab, s.d, TensorRole::token_embedding);
    embedding(b, "token_type_embeddings", *s.types, s.d, TensorRole::segment_embedding);
    layer_norm(b, "LayerNorm", s.d);
  });
  bert_layers(b, s, nezha_type);
  bert_pooler(b, s.d, nezha_type);
  if (!is_given(c, "model_type")) {
    note_untyped(b, "NEZHA's bert_config.json");
    refuse_unknown_keys(c, harmless);
  }
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}
void nezha_head(Config c, Builder& b, const BackboneOutput& m) { bert_head(c, b, m, nezha_type); }

/// Records brightmart's Chinese ALBERT. All layers share their parameters, and a second matrix projects the narrow word embeddings to the
/// hidden size. The other embeddings have the hidden size.
BackboneOutput albert_zh_backbone(Config c, Builder& b) {
  note_untyped(b, "albert_zh by brightmart");
  const DecoderSizes s = decoder_sizes(c, {768, 3072, 12, 21128, 12});
  const Expr e = c.integer("embedding_size", required(128)), positions = c.integer("max_position_embeddings", 512);
  const Expr types = c.integer("type_vocab_size", 2);
  require_multiple(s.d, s.n);
  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", s.vocab, e, TensorRole::token_embedding);
    b.part(Part::embedding, [&] { table(b, "word_embeddings_2", e, s.d); });
    embedding(b, "token_type_embeddings", types, s.d, TensorRole::segment_embedding);
    embedding(b, "position_embeddings", positions, s.d, TensorRole::position_embedding);
    layer_norm(b, "LayerNorm", s.d);
  });
  b.scope("encoder.layer_shared", [&] {
    bert_layer(b, {s.d, e, s.f, s.n_layers, s.vocab, s.n, positions, types, false, true, {}, false, {}}, nezha_type);
  });
  b.part(Part::output_head, [&] { linear(b, "pooler.dense", s.d, s.d, true); });
  refuse_unknown_keys(c, harmless);
  return {.hidden = s.d, .vocabulary = s.vocab};
}
void albert_zh_head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] {
    linear(b, "cls.predictions.transform.dense", m.hidden, m.hidden, true);
    layer_norm(b, "cls.predictions.transform.LayerNorm", m.hidden);
    b.parameter("cls.predictions.output_bias", {m.vocabulary});
    linear(b, "cls.seq_relationship", m.hidden, b.pool().literal(2), true);
  });
}

BackboneOutput gpt2_config_backbone(Config c, Builder& b) {
  note_untyped(b, "GPT-2's config.json");
  const BackboneOutput out = gpt2.backbone(c, b);
  refuse_unknown_keys(c, harmless);
  return out;
}

BackboneOutput distilbert_config_backbone(Config c, Builder& b) {
  note_untyped(b, "DistilBERT's config.json of 2019");
  const BackboneOutput out = distilbert.backbone(c, b);
  refuse_unknown_keys(c, harmless);
  return out;
}
void distilbert_config_head(Config c, Builder& b, const BackboneOutput& m) { distilbert.head(c, b, m); }

BackboneOutput openai_gpt_config_backbone(Config c, Builder& b) {
  note_untyped(b, "the first GPT's config.json");
  const BackboneOutput out = openai_gpt.backbone(c, b);
  refuse_unknown_keys(c, harmless);
  return out;
}

constexpr Architecture albert_classes[] = {{"AlbertForPreTraining", Head::pretraining, "albert"}};
constexpr Architecture bert_classes[] = {{"BertForPreTraining", Head::pretraining, "bert"}};
constexpr Architecture albert_zh_classes[] = {{"BertForPreTraining", Head::pretraining, "bert"}};
constexpr Architecture distilbert_classes[] = {{"DistilBertForMaskedLM", Head::masked_lm, "distilbert"}};
constexpr Architecture gpt2_classes[] = {{"GPT2LMHeadModel", Head::causal_lm, "transformer"}};
constexpr Architecture openai_gpt_classes[] = {{"OpenAIGPTLMHeadModel", Head::causal_lm, "transformer"}};
constexpr Architecture nezha_classes[] = {{"NezhaForPreTraining", Head::pretraining, "nezha"},
                                          {"NezhaModel", Head::none, ""},
                                          {"NezhaForMaskedLM", Head::masked_lm, "nezha"},
                                          {"NezhaForSequenceClassification", Head::sequence_classification, "nezha"},
                                          {"NezhaForTokenClassification", Head::token_classification, "nezha"},
                                          {"NezhaForQuestionAnswering", Head::question_answering, "nezha"},
                                          {"NezhaForMultipleChoice", Head::multiple_choice, "nezha"},
                                          {"NezhaForNextSentencePrediction", Head::next_sentence_prediction, "nezha"}};

constexpr Text bert_keys[] = {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "type_vocab_size"};
constexpr Text albert_only[] = {"num_hidden_groups", "inner_group_num"}, albert_zh_only[] = {"ln_type"};
constexpr Text nezha_only[] = {"use_relative_position", "max_relative_position"};
constexpr Text distilbert_keys[] = {"dim", "hidden_dim", "n_heads", "n_layers"},
               distilbert_only[] = {"sinusoidal_pos_embds", "tie_weights_"};
constexpr Text gpt2_keys[] = {"n_embd", "n_head", "n_layer", "n_positions"}, openai_only[] = {"n_special", "afn"};

}  // namespace

extern const Family albert_config{
    .model_type = "albert_config",
    .summary = "ALBERT, from a 2019 config.json without a model type.",
    .classes = {.listed = albert_classes},
    .backbone = albert_config_backbone,
    .head = albert_config_head,
    .own_code = true,
    .format_keys = {.all = bert_keys, .one_of = albert_only},
};
extern const Family albert_zh{
    .model_type = "albert_zh",
    .summary = "Chinese ALBERT (brightmart's albert_zh): shared layers, separate embedding projection.",
    .classes = {.listed = albert_zh_classes},
    .backbone = albert_zh_backbone,
    .head = albert_zh_head,
    .own_code = true,
    .format_keys = {.all = bert_keys, .one_of = albert_zh_only},
};
extern const Family bert_config{
    .model_type = "bert_config",
    .summary = "BERT, from a 2018 bert_config.json without a model type.",
    .classes = {.listed = bert_classes},
    .aliases = bert_aliases,
    .backbone = bert_config_backbone,
    .head = bert_config_head,
    .own_code = true,
    .format_keys = {.all = bert_keys, .fallback = true},
};
extern const Family distilbert_config{
    .model_type = "distilbert_config",
    .summary = "DistilBERT, from a 2019 config.json without a model type.",
    .classes = {.listed = distilbert_classes},
    .backbone = distilbert_config_backbone,
    .head = distilbert_config_head,
    .own_code = true,
    .format_keys = {.all = distilbert_keys, .one_of = distilbert_only},
};
extern const Family gpt2_config{
    .model_type = "gpt2_config",
    .summary = "GPT-2, from a config.json without a model type.",
    .classes = {.listed = gpt2_classes},
    .aliases = gpt_aliases,
    .backbone = gpt2_config_backbone,
    .own_code = true,
    .format_keys = {.all = gpt2_keys, .fallback = true},
};
extern const Family nezha{
    .model_type = "nezha",
    .summary = "NEZHA: like BERT, with parameter-free relative positions.",
    .classes = {.listed = nezha_classes},
    .backbone = nezha_backbone,
    .head = nezha_head,
    .own_code = true,
    .format_keys = {.all = bert_keys, .one_of = nezha_only},
};
extern const Family openai_gpt_config{
    .model_type = "openai_gpt_config",
    .summary = "GPT (2018), from a config.json without a model type.",
    .classes = {.listed = openai_gpt_classes},
    .aliases = gpt_aliases,
    .backbone = openai_gpt_config_backbone,
    .own_code = true,
    .format_keys = {.all = gpt2_keys, .one_of = openai_only},
};

}  // namespace param_ledger
