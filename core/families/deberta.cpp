// DeBERTa, v2 and v3: like BERT, with attention that can also use relative positions. Relative positions have their own projections or
// share those of the tokens. Source: transformers, models/deberta, deberta_v2.

#include "core/nn/text/deberta.hpp"

#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{};

/// Records `embeddings`. Returns the token embedding table.
Tensor embeddings(Config c, Builder& b, Expr vocab, Expr d, Expr positions) {
  const Expr e = c.integer("embedding_size", attribute.or_else(d)), types = c.integer("type_vocab_size", 0);
  const bool absolute = c.flag("position_biased_input", true);
  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", vocab, e, TensorRole::token_embedding);
    if (absolute) embedding(b, "position_embeddings", positions, e, TensorRole::position_embedding);
    if (types.decide() > 0) embedding(b, "token_type_embeddings", types, e, TensorRole::segment_embedding);
    if (e.decide() != d.decide()) b.part(Part::embedding, [&] { linear(b, "embed_proj", e, d); });
    layer_norm(b, "LayerNorm", d);
  });
  return words;
}

/// Records the first version of DeBERTa, which has a fused query, key and value projection, with separate biases for query and value.
BackboneOutput deberta_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {768, 3072, 12, 50265, 12});
  const Expr d = s.d, positions = c.integer("max_position_embeddings", 512);
  const bool relative = c.flag("relative_attention", false), by_key = has_pos_att_type(c, "c2p"), by_query = has_pos_att_type(c, "p2c");
  const auto reach = deberta_positions(c, "max_relative_positions");
  const bool talking = c.flag("talking_head", false, Null::allowed);
  const Tensor words = embeddings(c, b, s.vocab, d, positions);
  b.repeat("encoder.layer", all(s.n_layers), [&] {
    attention(b, "attention",
              {.hidden = d, .heads = s.n, .output_bias = true, .scaled_by_head_dim = false, .fused = "self.in_proj", .o = "output.dense"});
    b.scope(Part::attention, "attention", [&] {
      b.scope("self", [&] {
        for (const Text name : {"q_bias", "v_bias"}) b.parameter(name, {d});
        if (talking)
          for (const Text name : {"head_logits_proj", "head_weights_proj"}) linear(b, name, s.n, s.n);
        if (relative && by_key) linear(b, "pos_proj", d, d);
        if (relative && by_query) linear(b, "pos_q_proj", d, d, true);
      });
      layer_norm(b, "output.LayerNorm", d);
    });
    mlp(b, "", d, s.f, true, "intermediate.dense", "output.dense");
    layer_norm(b, "output.LayerNorm", d);
  });
  if (relative) b.part(Part::attention, [&] { table(b, "encoder.rel_embeddings", 2 * reach.value_or(positions), d); });
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

BackboneOutput v2_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {1536, 6144, 24, 128100, 24});
  const Expr positions = c.integer("max_position_embeddings", 512);
  const Deberta m = deberta_fields(c, {.hidden = s.d, .inner = s.f, .heads = s.n, .n_layers = s.n_layers, .positions = positions}, {});
  const Tensor words = embeddings(c, b, s.vocab, s.d, positions);
  deberta_layers(b, m);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
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
    pooler(b, "pooler.dense", pooled);
  }
  bert_head(c, b, m, type);
}

}  // namespace

extern const Family deberta{
    .model_type = "deberta",
    .summary = "Like BERT, with disentangled attention for content and relative position.",
    .classes = {"Deberta", heads::encoder & ~(heads::causal_lm | heads::choice), "deberta"},
    .backbone = deberta_backbone,
    .head = head,
};
extern const Family deberta_v2{
    .model_type = "deberta-v2",
    .summary = "Like DeBERTa, with separate QKV projections; also DeBERTa-v3.",
    .classes = {"DebertaV2", heads::encoder & ~heads::causal_lm, "deberta"},
    .backbone = v2_backbone,
    .head = head,
};

}  // namespace param_ledger
