// MobileBERT: like BERT, by default with narrow layers between two bottleneck projections, several feed-forward blocks in each layer, and
// an input that concatenates the narrow embeddings of three neighbouring tokens. Source: transformers, models/mobilebert.

#include "core/builder/inference.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{};

/// Records a linear layer and a norm: `name.dense` and `name.LayerNorm`.
void dense_norm(Builder& b, Text name, Expr in, Expr out) {
  b.scope(name, [&] {
    linear(b, "dense", in, out, true);
    layer_norm(b, "LayerNorm", out);
  });
}

struct Sizes {
  Expr d, inside, f, n, narrow;  ///< `inside`: the width of attention and feed-forward blocks
  bool bottleneck, values_inside, shared;
};

void record_layer(Builder& b, const Sizes& s, Expr blocks) {
  const Expr h = floor_divide(s.inside, s.n);
  require_positive(h);
  b.scope(Part::attention, "attention", [&] {
    b.scope("self", [&] {
      linear(b, "query", s.inside, s.n * h, true, TensorRole::query);
      linear(b, "key", s.inside, s.n * h, true, TensorRole::key);
      linear(b, "value", s.values_inside ? s.inside : s.d, s.n * h, true, TensorRole::value);
      record_attention(b, {s.n, s.n, h});
    });
    dense_norm(b, "output", s.inside, s.inside);
  });
  const auto feed_forward = [&] {
    linear(b, "intermediate.dense", s.inside, s.f, true, TensorRole::up);
    dense_norm(b, "output", s.f, s.inside);
  };
  b.part(Part::feed_forward, feed_forward);
  if (blocks.decide() > 1) b.repeat("ffn", all(blocks - 1), [&] { b.part(Part::feed_forward, feed_forward); });
  if (!s.bottleneck) return;
  b.part(Part::adapter, [&] {
    dense_norm(b, "output.bottleneck", s.inside, s.d);
    dense_norm(b, "bottleneck.input", s.d, s.narrow);
    if (s.shared) dense_norm(b, "bottleneck.attention", s.d, s.narrow);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes sizes = decoder_sizes(c, {512, 512, 24, 30522, 4});
  const Expr d = sizes.d, e = c.integer("embedding_size", 128), positions = c.integer("max_position_embeddings", 512);
  const Expr types = c.integer("type_vocab_size", 2), narrow = c.integer("intra_bottleneck_size", 128);
  const Expr blocks = c.integer("num_feedforward_networks", 4);
  static constexpr std::string_view norms[] = {"no_norm", "layer_norm"};  // both kinds of norm have the same tensors
  (void)c.text("normalization_type", "no_norm", norms);
  const bool trigrams = c.flag("trigram_input", true), bottleneck = c.flag("use_bottleneck", true);
  const bool values_inside = c.flag("use_bottleneck_attention", false), shared = c.flag("key_query_shared_bottleneck", true);
  const Expr inside = c.integer("true_hidden_size", attribute.or_else(bottleneck ? narrow : d));
  Tensor words;
  b.scope(Part::embedding, "embeddings", [&] {
    words = embedding(b, "word_embeddings", sizes.vocab, e, TensorRole::token_embedding);
    embedding(b, "position_embeddings", positions, d, TensorRole::position_embedding);
    embedding(b, "token_type_embeddings", types, d, TensorRole::segment_embedding);
    linear(b, "embedding_transformation", trigrams ? 3 * e : e, d, true);
    layer_norm(b, "LayerNorm", d);
  });
  b.repeat("encoder.layer", all(sizes.n_layers), [&] {
    record_layer(b, {d, inside, sizes.f, sizes.n, narrow, bottleneck, values_inside, shared}, blocks);
  });
  if (c.flag("classifier_activation", true)) bert_pooler(b, d, type);
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

/// Records the head. To predict masked tokens, it concatenates two matrices: `decoder`, which is tied to the narrow embedding table by
/// default, and `dense`, which adds the remaining columns.
void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  if (kind != Head::masked_lm && kind != Head::pretraining) return bert_head(c, b, m, type);
  const std::span<const Expr> table = b.row(m.embedding).shape;
  const Expr vocab = table.front(), e = table.back();
  const bool tied = c.flag("tie_word_embeddings", true);
  b.scope(Part::output_head, "cls.predictions", [&] {
    dense_norm(b, "transform", m.hidden, m.hidden);
    linear(b, "dense", vocab, m.hidden - e);
    const Tensor bias = b.parameter("bias", {vocab});
    if (tied) {
      b.tied("decoder.weight", m.embedding);
      b.tied("decoder.bias", bias);
    } else {
      linear(b, "decoder", e, vocab, true);
    }
  });
  if (kind == Head::pretraining) b.part(Part::output_head, [&] { linear(b, "cls.seq_relationship", m.hidden, c.literal(2), true); });
}

}  // namespace

extern const Family mobilebert{
    .model_type = "mobilebert",
    .summary = "Like BERT, with a bottleneck around each layer.",
    .classes = {"MobileBert", (heads::encoder & ~heads::causal_lm) | heads::next_sentence | heads::pretraining, "mobilebert"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
