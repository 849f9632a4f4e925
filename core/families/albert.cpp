// ALBERT: like BERT, but embeddings have a width of their own (embedding_size), and all layers of a group share their parameters.
// Source: transformers, models/albert.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {4096, 16384, 12, 30000, 64},
                        .predictions = {.module = "predictions", .dense = "dense", .norm = "LayerNorm"}};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, type.sizes);
  const Expr d = s.d, e = c.integer("embedding_size", 128), positions = c.integer("max_position_embeddings", 512);
  const Expr types = c.integer("type_vocab_size", 2), groups = c.integer("num_hidden_groups", 1), each = c.integer("inner_group_num", 1);
  // transformers rounds the head dimension down, so the number of heads need not divide the hidden size.
  const bool uneven = s.n.decide() > 0 && d.decide() % s.n.decide() != 0;
  const Tensor words = bert_embeddings(b, {d, e, s.f, s.n_layers, s.vocab, s.n, positions, types, false, true}, type);
  b.part(Part::embedding, [&] { linear(b, "encoder.embedding_hidden_mapping_in", e, d, true); });
  b.repeat("encoder.albert_layer_groups", all(groups), [&] {
    b.repeat("albert_layers", all(each), [&] {
      attention(b, "attention",
                {.hidden = d,
                 .heads = s.n,
                 .head_dim = uneven ? floor_divide(d, s.n) : Expr{},
                 .output_from = d,
                 .qkv_bias = true,
                 .output_bias = true,
                 .q = "query",
                 .k = "key",
                 .v = "value",
                 .o = "dense"});
      layer_norm(b, "attention.LayerNorm", d);
      mlp(b, "", d, s.f, true, "ffn", "ffn_output");
      layer_norm(b, "full_layer_layer_norm", d);
    });
  });
  const Head head = b.architecture().head;
  const bool pooled =
      head == Head::none || head == Head::pretraining || head == Head::sequence_classification || head == Head::multiple_choice;
  if (pooled) pooler(b, "pooler", d);
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

/// Records the head. The pre-training class also predicts the order of two sentences.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::pretraining) return bert_head(c, b, m, type);
  b.as({"", Head::masked_lm, ""}, [&] { bert_head(c, b, m, type); });
  b.part(Part::output_head, [&] { linear(b, "sop_classifier.classifier", m.hidden, num_labels(c), true); });
}

}  // namespace

extern const Family albert{
    .model_type = "albert",
    .summary = "Like BERT, with factorized embeddings and cross-layer parameter sharing.",
    .classes = {"Albert", (heads::encoder & ~heads::causal_lm) | heads::pretraining, "albert"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
