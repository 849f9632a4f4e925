// BERT: post-norm encoder with learned positions and segment types, biases everywhere; most classes differ in pooler and head.
// Source: transformers, models/bert.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

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

/// The classes that read the first token's state have the pooler for it.
bool has_pooler(Head head) {
  return head != Head::causal_lm && head != Head::masked_lm && head != Head::token_classification && head != Head::question_answering;
}

void attention_block(Builder& b, std::string_view name, Expr d) {
  b.part(Part::attention, [&] {
    b.scope(name, [&] {
      b.scope("self", [&] {
        linear(b, "query", d, d, true);
        linear(b, "key", d, d, true);
        linear(b, "value", d, d, true);
      });
      b.scope("output", [&] {
        linear(b, "dense", d, d, true);
        layer_norm(b, "LayerNorm", d);
      });
    });
  });
}

/// Predicts a token: a dense layer, a norm and a decoder that is the embedding table unless untied.
void prediction_head(Config& c, Builder& b, Expr d, Expr vocab) {
  const bool tied = c.flag("tie_word_embeddings", true);
  b.scope("cls.predictions", [&] {
    b.scope("transform", [&] {
      linear(b, "dense", d, d, true);
      layer_norm(b, "LayerNorm", d);
    });
    b.parameter("bias", {vocab});
    if (tied) {
      b.tied("decoder.weight", {vocab, d}, "bert.embeddings.word_embeddings.weight");
      b.tied("decoder.bias", {vocab}, "cls.predictions.bias");
    } else {
      linear(b, "decoder", d, vocab, true);
    }
  });
}

void head(Config& c, Builder& b, Expr d, Expr vocab) {
  const Head head = b.architecture().head;
  b.part(Part::output_head, [&] {
    if (head == Head::causal_lm || head == Head::masked_lm || head == Head::pretraining) prediction_head(c, b, d, vocab);
    if (head == Head::pretraining || head == Head::next_sentence_prediction) linear(b, "cls.seq_relationship", d, c.literal(2), true);
    if (head == Head::sequence_classification || head == Head::token_classification) linear(b, "classifier", d, num_labels(c), true);
    if (head == Head::question_answering) linear(b, "qa_outputs", d, num_labels(c), true);
    if (head == Head::multiple_choice) linear(b, "classifier", d, c.literal(1), true);
  });
}

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), f = c.integer("intermediate_size", 3072), n_layers = c.integer("num_hidden_layers", 12);
  const Expr vocab = c.integer("vocab_size", 30522), positions = c.integer("max_position_embeddings", 512),
             types = c.integer("type_vocab_size", 2);
  const Expr n = c.integer("num_attention_heads", 12);
  const bool cross = c.flag("add_cross_attention", false), decoder = c.flag("is_decoder", false);

  b.scope(b.architecture().backbone, [&] {
    b.scope("embeddings", [&] {
      embedding(b, "word_embeddings", vocab, d);
      embedding(b, "position_embeddings", positions, d);
      embedding(b, "token_type_embeddings", types, d);
      layer_norm(b, "LayerNorm", d);
    });
    b.repeat("encoder.layer", all(n_layers), [&] {
      require_positive(d);
      require_multiple("hidden_size", d, n);
      attention_block(b, "attention", d);
      if (cross) {
        if (!decoder) refuse(ErrorCode::inconsistent, "is_decoder", "must be true where add_cross_attention is.");
        attention_block(b, "crossattention", d);
      }
      b.part(Part::feed_forward, [&] {
        linear(b, "intermediate.dense", d, f, true);
        linear(b, "output.dense", f, d, true);
      });
      layer_norm(b, "output.LayerNorm", d);
    });
    if (has_pooler(b.architecture().head)) b.part(Part::output_head, [&] { linear(b, "pooler.dense", d, d, true); });
  });
  head(c, b, d, vocab);
}

}  // namespace

const Family bert{"bert", "Encoder with learned positions and segment types, biases everywhere.", classes, {}, record};

}  // namespace param_ledger
