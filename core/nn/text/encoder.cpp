#include "core/nn/text/encoder.hpp"

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"

namespace param_ledger {

namespace {

Expr embedding_width(Config c, const BertFactor& factor, Expr d) {
  if (factor.field.empty()) return d;
  return factor.fallback ? c.integer(factor.field, *factor.fallback) : c.integer(factor.field, d);
}

void norm_if_named(Builder& b, Text name, Expr width, TensorRole role = TensorRole::unspecified) {
  if (!name.empty()) norm(b, Norm::layer, name, width, role);
}

}  // namespace

BertSizes bert_sizes(Config c, const BertType& type) {
  const DecoderSizes s = decoder_sizes(c, type.sizes);
  const Expr e = embedding_width(c, type.factor, s.d);
  const Expr longest = c.integer("max_position_embeddings", type.positions);
  const Expr positions = type.positions_kept_free > 0 ? longest + type.positions_kept_free : longest;
  std::optional<Expr> types;
  if (type.token_types) types = c.integer("type_vocab_size", *type.token_types);
  const bool cross_attention = type.decodes && c.flag("add_cross_attention", false);
  BertSizes out{s.d, e,     s.f, s.n_layers, s.vocab, s.n, positions, types, cross_attention, !type.bias_switch || c.flag("use_bias", true),
                {},  false, {}};
  if (type.decodes && !c.flag("is_decoder", false) && cross_attention && !is_zero(s.n_layers)) {
    if (!is_given(c, "encoder_width")) c.refuse(ErrorCode::inconsistent, "is_decoder", "must be true if add_cross_attention is true.");
    out.reads_image = true;
    out.memory = c.integer("encoder_width", s.d);
    if (is_given(c, "fusion_layer")) out.fusion = c.integer("fusion_layer", 0);
    if (!c.flag("add_type_embeddings", false)) out.types.reset();
  }
  return out;
}

Tensor bert_embeddings(Builder& b, const BertSizes& s, const BertType& type) {
  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", s.vocab, s.e, TensorRole::token_embedding);
    if (!type.rotary) embedding(b, "position_embeddings", s.positions, s.e, TensorRole::position_embedding);
    if (s.types) embedding(b, "token_type_embeddings", *s.types, s.e, TensorRole::segment_embedding);
    norm_if_named(b, type.norms.embeddings, s.e, TensorRole::embedding_norm);
    if (s.reads_image) b.part(Part::embedding, [&] { b.buffer("position_ids", {b.pool().literal(1), s.positions}); });
  });
  const BertFactor& factor = type.factor;
  if (!factor.field.empty() && (factor.always || !equal(s.e, s.d)))
    b.part(Part::embedding, [&] { linear(b, factor.projection, s.e, s.d, true); });
  if (type.rotary) {
    embedding(b, "encoder.embed_positions", s.positions, floor_divide(s.d, s.n), TensorRole::position_embedding);
    record_block(b, {Mechanism::sinusoidal_positions}, "encoder.embed_positions");
  }
  return words;
}

void bert_layer(Builder& b, const BertSizes& s, const BertType& type) {
  using enum TensorRole;
  const bool pre_norm = !type.norms.last.empty();  // in post-norm layers a norm comes last, so none follows the last layer
  const auto attention_layer = [&](Text name, const Attention& a) {
    attention(b, name, a);
    const TensorRole role = a.is_cross_attention ? pre_norm ? norm_before_cross_attention : norm_after_cross_attention
                            : pre_norm           ? norm_before_attention
                                                 : norm_after_attention;
    b.scope(name, [&] { norm_if_named(b, type.norms.attention, s.d, role); });
  };
  Attention a{.hidden = s.d,
              .heads = s.n,
              .output_from = s.d,
              .qkv_bias = s.qkv_bias,
              .output_bias = true,
              .scaled_by_head_dim = type.scaled_by_head_dim,
              .q = type.attention.q,
              .k = type.attention.k,
              .v = type.attention.v,
              .o = type.attention.o};
  // If a configuration has embedding_size, BERT's attention in transformers allows heads that do not divide the hidden size.
  if (type.factor.field == "embedding_size" && !is_zero(s.n) && !is_multiple(s.d, s.n)) a.head_dim = floor_divide(s.d, s.n);
  attention_layer("attention", a);
  a.is_cross_attention = true;
  a.memory = s.memory;
  if (s.cross_attention) attention_layer("crossattention", a);
  mlp(b, "", s.d, s.f, true, "intermediate.dense", "output.dense");
  norm(b, Norm::layer, type.norms.feed_forward, s.d, pre_norm ? norm_before_feed_forward : norm_after_feed_forward);
}

void bert_layers_in(Builder& b, Text name, const BertSizes& s, const BertType& type) {
  const IndexSet layers = all(s.n_layers);
  if (!s.fusion) return b.repeat(name, layers, [&] { bert_layer(b, s, type); });
  BertSizes before = s;
  before.cross_attention = false;
  b.repeat(name, first(s.fusion, s.n_layers), [&] { bert_layer(b, before, type); });
  b.repeat(name, between(s.fusion, s.n_layers), [&] { bert_layer(b, s, type); });
}

void bert_layers(Builder& b, const BertSizes& s, const BertType& type) {
  bert_layers_in(b, "encoder.layer", s, type);
  norm_if_named(b, type.norms.last, s.d);
}

void bert_pooler(Builder& b, Expr hidden, const BertType& type) {
  const Head head = b.architecture().head;
  const bool read = head == Head::none || head == Head::multiple_choice || head == Head::next_sentence_prediction ||
                    head == Head::pretraining || (head == Head::sequence_classification && !type.dense_classifier);
  if ((type.pooler == Pooler::where_read && read) || type.pooler == Pooler::everywhere ||
      (type.pooler == Pooler::sequences && head == Head::sequence_classification))
    pooler(b, "pooler.dense", hidden);
  if (type.pooler == Pooler::nearly_all && head != Head::question_answering) pooler(b, "pooler", hidden);
}

BackboneOutput bert_backbone(Config c, Builder& b, const BertType& type) {
  const BertSizes s = bert_sizes(c, type);
  if (s.reads_image)
    b.note("encoder_width", "Counted as built by the code of BLIP and LAVIS, where the encoder has cross-attention to an image.");
  const Tensor words = bert_embeddings(b, s, type);
  bert_layers(b, s, type);
  if (type.more != nullptr) type.more(c, b, s);
  bert_pooler(b, s.d, type);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

namespace {

void predict_token(Config c, Builder& b, const BackboneOutput& m, const BertPredictions& p) {
  const std::span<const Expr> table = b.row(m.embedding).shape;
  const Expr vocab = table.front(), width = p.own_width ? c.integer("output_embedding_size", *p.own_width) : table.back();
  const bool tied = !p.own_width && c.flag("tie_word_embeddings", m.tie_by_default, p.null_unties);
  b.scope(p.module, [&] {
    const InBlock block(b, {Mechanism::masked_prediction});
    if (!p.dense.empty()) {
      linear(b, p.dense, m.hidden, width, true);
      layer_norm(b, p.norm, width);
    }
    Tensor bias;
    if (p.two_biases) b.scope(TensorRole::head, "", [&] { bias = b.parameter("bias", {vocab}); });
    b.scope(TensorRole::head, p.decoder, [&] {
      if (tied)
        b.tied("weight", m.embedding);
      else
        b.parameter("weight", {vocab, width}, StorageKind::matrix);
      if (tied && bias)
        b.tied("bias", bias);
      else
        b.parameter("bias", {vocab});
    });
  });
}

}  // namespace

void bert_head(Config c, Builder& b, const BackboneOutput& m, const BertType& type) {
  const Head head = b.architecture().head;
  b.part(Part::output_head, [&] {
    switch (head) {
      case Head::causal_lm:
      case Head::masked_lm:
      case Head::pretraining:
        predict_token(c, b, m, type.predictions);
        if (head != Head::pretraining) break;
        [[fallthrough]];
      case Head::next_sentence_prediction: linear(b, "cls.seq_relationship", m.hidden, c.literal(2), true); break;
      case Head::sequence_classification:
        if (type.dense_classifier) {
          two_layer_classifier(b, "classifier", m.hidden, num_labels(c));
          break;
        }
        [[fallthrough]];
      case Head::token_classification: linear(b, "classifier", m.hidden, num_labels(c), true); break;
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, type.two_spans ? c.literal(2) : num_labels(c), true); break;
      case Head::multiple_choice:
        if (type.dense_choice) linear(b, "pre_classifier", m.hidden, m.hidden, true);
        linear(b, "classifier", m.hidden, c.literal(1), true);
        break;
      default: break;
    }
  });
}

}  // namespace param_ledger
