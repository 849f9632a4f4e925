// DistilBERT: like BERT, by default with half as many layers, but without segment types and pooler, and with different tensor names.
// Source: transformers, models/distilbert.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"hidden_size", "dim"}, {"num_attention_heads", "n_heads"}, {"num_hidden_layers", "n_layers"}};
constexpr BertType type{.predictions = {"", "vocab_transform", "vocab_layer_norm", "vocab_projector", false}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 30522), positions = c.integer("max_position_embeddings", 512);
  const Expr d = c.integer("dim", 768), f = c.integer("hidden_dim", 3072);
  const Expr n_layers = c.integer("n_layers", 6), n = c.integer("n_heads", 12);
  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
    embedding(b, "position_embeddings", positions, d, TensorRole::position_embedding);
    layer_norm(b, "LayerNorm", d);
  });
  b.repeat("transformer.layer", all(n_layers), [&] {
    attention(b, "attention",
              {.hidden = d, .heads = n, .qkv_bias = true, .output_bias = true, .q = "q_lin", .k = "k_lin", .v = "v_lin", .o = "out_lin"});
    layer_norm(b, "sa_layer_norm", d);
    mlp(b, "ffn", d, f, true, "lin1", "lin2");
    layer_norm(b, "output_layer_norm", d);
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  if (head == Head::sequence_classification || head == Head::multiple_choice)
    b.part(Part::output_head, [&] { linear(b, "pre_classifier", m.hidden, m.hidden, true); });
  if (head == Head::question_answering && num_labels(c).decide() != 2)
    c.refuse(ErrorCode::out_of_range, "num_labels", "must be 2 for question answering.");
  bert_head(c, b, m, type);
}

}  // namespace

extern const Family distilbert{
    .model_type = "distilbert",
    .summary = "BERT distilled to half of its layers.",
    .classes = {"DistilBert", heads::encoder & ~heads::causal_lm, "distilbert"},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
