// LUKE: RoBERTa on words and entities, by default with separate query projections for each combination of the two. Source: transformers,
// models/luke.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 50267, 12}, .pooler = Pooler::everywhere, .scaled_by_head_dim = false, .decodes = false};

BackboneOutput backbone(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, type);
  const Expr entities = c.integer("entity_vocab_size", 500000), e = c.integer("entity_emb_size", 256);
  const bool aware = c.flag("use_entity_aware_attention", true);
  bert_embeddings(b, s, type);
  Tensor table;
  b.scope(Part::embedding, "entity_embeddings", [&] {
    table = embedding(b, "entity_embeddings", entities, e);
    if (e.decide() != s.d.decide()) linear(b, "entity_embedding_dense", e, s.d);
    embedding(b, "position_embeddings", s.positions, s.d, TensorRole::position_embedding);
    embedding(b, "token_type_embeddings", *s.types, s.d, TensorRole::segment_embedding);
    layer_norm(b, "LayerNorm", s.d);
  });
  bert_layers(b, s, type);
  if (aware)
    b.repeat("encoder.layer", all(s.n_layers), [&] {
      b.scope(Part::attention, "attention.self", [&] {
        for (const Text name : {"w2e_query", "e2w_query", "e2e_query"}) linear(b, name, s.d, s.d, true);
      });
    });
  const Head head = b.architecture().head;
  if (head != Head::token_classification && head != Head::question_answering) bert_pooler(b, s.d, type);
  return {.hidden = s.d, .embedding = table, .vocabulary = s.vocab, .tie_by_default = true};
}

/// Records the heads of the masked language model, which predict words and entities. Unless tie_word_embeddings is false, the two stored
/// biases of the words' head are one parameter, and entities are predicted with their embedding table.
void predictions(Config c, Builder& b, const BackboneOutput& m) {
  const std::span<const Expr> table = b.row(m.embedding).shape;
  const Expr entities = table.front(), e = table.back();
  const bool tied = c.flag("tie_word_embeddings", true);
  b.scope("lm_head", [&] {
    linear(b, "dense", m.hidden, m.hidden, true);
    layer_norm(b, "layer_norm", m.hidden);
    b.parameter("decoder.weight", {m.vocabulary, m.hidden}, StorageKind::matrix);
    const Tensor bias = b.parameter("decoder.bias", {m.vocabulary});
    if (tied)
      b.tied("bias", bias);
    else
      b.parameter("bias", {m.vocabulary});
  });
  b.scope("entity_predictions", [&] {
    linear(b, "transform.dense", m.hidden, e, true);
    layer_norm(b, "transform.LayerNorm", e);
    b.parameter("bias", {entities});
    if (tied)
      b.tied("decoder.weight", m.embedding);
    else
      b.parameter("decoder.weight", {entities, e}, StorageKind::matrix);
  });
}

/// The classes that classify an entity, a pair of entities, or a text span with its entity.
constexpr Architecture of_entities[] = {{"LukeForEntityClassification", Head::other, "luke"},
                                        {"LukeForEntityPairClassification", Head::other, "luke"},
                                        {"LukeForEntitySpanClassification", Head::other, "luke"}};

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::other) {
    const bool pair = b.architecture().name == of_entities[1].name, span = b.architecture().name == of_entities[2].name;
    return b.part(Part::output_head, [&] { linear(b, "classifier", (span ? 3 : pair ? 2 : 1) * m.hidden, num_labels(c), !pair); });
  }
  if (b.architecture().head != Head::masked_lm) return bert_head(c, b, m, type);
  b.part(Part::output_head, [&] { predictions(c, b, m); });
}

}  // namespace

extern const Family luke{
    .model_type = "luke",
    .summary = "Like RoBERTa, with entity embeddings and entity-aware attention.",
    .classes = {.prefix = "Luke", .heads = heads::encoder & ~heads::causal_lm, .backbone = "luke", .listed = of_entities},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
