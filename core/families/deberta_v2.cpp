// DeBERTa-v2 and v3: as BERT, with attention that also weighs relative positions, by projections of its own or the token's.
// Source: transformers, models/deberta_v2.

#include "core/blocks/deberta.hpp"
#include "core/blocks/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{};

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {1536, 6144, 24, 128100, 24});
  const Expr d = s.d, n = s.n;
  const Expr e = c.integer("embedding_size", attribute.or_else(d)), types = c.integer("type_vocab_size", 0);
  const Expr positions = c.integer("max_position_embeddings", 512);
  const bool absolute = c.flag("position_biased_input", true);
  const Deberta m = deberta_fields(c, {.hidden = d, .inner = s.f, .heads = n, .n_layers = s.n_layers, .positions = positions}, {});

  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", s.vocab, e);
    if (absolute) embedding(b, "position_embeddings", positions, e);
    if (types.value() > 0) embedding(b, "token_type_embeddings", types, e);
    if (e.value() != d.value()) b.part(Part::embedding, [&] { linear(b, "embed_proj", e, d); });
    layer_norm(b, "LayerNorm", d);
  });
  deberta_layers(b, m);
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

void head(Config c, Builder& b, const Backbone& m) {
  const Head head = b.architecture().head;
  if (head == Head::masked_lm && !c.flag("legacy", true)) {
    b.scope(Part::output_head, "lm_predictions.lm_head", [&] {
      linear(b, "dense", m.hidden, m.hidden, true);
      layer_norm(b, "LayerNorm", m.hidden);
      b.parameter("bias", {b.row(m.embedding).shape.front()});
    });
    return;
  }
  if (head == Head::sequence_classification || head == Head::multiple_choice) {
    const Expr pooled = c.integer("pooler_hidden_size", attribute.or_else(m.hidden));
    b.part(Part::output_head, [&] { linear(b, "pooler.dense", pooled, pooled, true); });
  }
  bert_head(c, b, m, type);
}

}  // namespace

extern const Family deberta_v2{
    .model_type = "deberta-v2",
    .summary = "As BERT, with attention that also weighs relative positions.",
    .classes = {"DebertaV2", heads::encoder & ~heads::causal_lm, "deberta"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
