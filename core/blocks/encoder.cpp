#include "core/blocks/encoder.hpp"

#include "core/heads.hpp"

namespace param_ledger {

BertSizes bert_sizes(Config c, const DecoderDefaults& defaults, std::uint64_t positions, std::uint64_t types) {
  const Expr d = c.integer("hidden_size", defaults.hidden), f = c.integer("intermediate_size", defaults.inner);
  const Expr n_layers = c.integer("num_hidden_layers", defaults.layers), vocab = c.integer("vocab_size", defaults.vocabulary);
  const Expr n = c.integer("num_attention_heads", defaults.heads);
  const Expr n_positions = c.integer("max_position_embeddings", positions), n_types = c.integer("type_vocab_size", types);
  return {d, f, n_layers, vocab, n, n_positions, n_types};
}

Tensor bert_embeddings(Config, Builder& b, const BertSizes& s) {
  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", s.vocab, s.d);
    embedding(b, "position_embeddings", s.positions, s.d);
    embedding(b, "token_type_embeddings", s.types, s.d);
    layer_norm(b, "LayerNorm", s.d);
  });
  return words;
}

namespace {

void bert_attention(Builder& b, std::string_view name, Expr d) {
  b.scope(Part::attention, name, [&] {
    for (const std::string_view projection : {"self.query", "self.key", "self.value", "output.dense"}) linear(b, projection, d, d, true);
    layer_norm(b, "output.LayerNorm", d);
  });
}

}  // namespace

void bert_layers(Config c, Builder& b, std::string_view name, const BertSizes& s) {
  const bool cross = c.flag("add_cross_attention", false), decoder = c.flag("is_decoder", false);
  b.repeat(name, all(s.n_layers), [&] {
    require_positive(s.d);
    require_multiple(s.d, s.n);
    bert_attention(b, "attention", s.d);
    if (cross) {
      if (!decoder) c.refuse(ErrorCode::inconsistent, "is_decoder", "must be true where add_cross_attention is.");
      bert_attention(b, "crossattention", s.d);
    }
    mlp(b, "", s.d, s.f, true, "intermediate.dense", "output.dense");
    layer_norm(b, "output.LayerNorm", s.d);
  });
}

bool has_pooler(Head head) {
  return head != Head::causal_lm && head != Head::masked_lm && head != Head::token_classification && head != Head::question_answering;
}

namespace {

/// Predicts a token: a dense layer, a norm and a decoder that is the embedding table unless untied.
void prediction_head(Config c, Builder& b, const Backbone& m) {
  const bool tied = c.flag("tie_word_embeddings", m.tie_by_default);
  const Expr vocab = b.row(m.embedding).shape.front();
  b.scope(m.language_model, [&] {
    linear(b, "transform.dense", m.hidden, m.hidden, true);
    layer_norm(b, "transform.LayerNorm", m.hidden);
    const Tensor bias = b.parameter("bias", {vocab});
    if (tied) {
      b.tied("decoder.weight", m.embedding);
      b.tied("decoder.bias", bias);
    } else {
      linear(b, "decoder", m.hidden, vocab, true);
    }
  });
}

}  // namespace

void bert_head(Config c, Builder& b, const Backbone& m) {
  b.part(Part::output_head, [&] {
    switch (const Head head = b.architecture().head) {
      case Head::causal_lm:
      case Head::masked_lm:
      case Head::pretraining:
        prediction_head(c, b, m);
        if (head != Head::pretraining) break;
        [[fallthrough]];
      case Head::next_sentence_prediction: linear(b, "cls.seq_relationship", m.hidden, c.literal(2), true); break;
      case Head::sequence_classification:
      case Head::token_classification: linear(b, "classifier", m.hidden, num_labels(c), true); break;
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, num_labels(c), true); break;
      case Head::multiple_choice: linear(b, "classifier", m.hidden, c.literal(1), true); break;
      default: break;
    }
  });
}

}  // namespace param_ledger
