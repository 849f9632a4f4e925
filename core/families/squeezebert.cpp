// SqueezeBERT: like BERT, with grouped convolutions of kernel size 1 instead of the linear layers in attention and feed-forward blocks.
// Source: transformers, models/squeezebert.

#include "core/builder/inference.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{
    .sizes = {768, 3072, 12, 30522, 12}, .factor = {"embedding_size", 768}, .pooler = Pooler::everywhere, .decodes = false};

void grouped(Builder& b, Text name, Expr in, Expr out, Expr groups) {
  require_multiple(out, groups);
  conv1d(b, name, per_group(in, groups), out, 1);
}

BackboneOutput backbone(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, type);
  const Expr q = c.integer("q_groups", 4), k = c.integer("k_groups", 4), v = c.integer("v_groups", 4);
  const Expr after = c.integer("post_attention_groups", 1), up = c.integer("intermediate_groups", 4), down = c.integer("output_groups", 4);
  require_equal(s.e, s.d);
  const Tensor words = bert_embeddings(b, s, type);
  b.repeat("encoder.layers", all(s.n_layers), [&] {
    require_multiple(s.d, s.n);
    b.part(Part::attention, [&] {
      grouped(b, "attention.query", s.d, s.d, q);
      grouped(b, "attention.key", s.d, s.d, k);
      grouped(b, "attention.value", s.d, s.d, v);
      grouped(b, "post_attention.conv1d", s.d, s.d, after);
      record_attention(b, {s.n, s.n, floor_divide(s.d, s.n)});
    });
    layer_norm(b, "post_attention.layernorm", s.d);
    b.part(Part::feed_forward, [&] {
      grouped(b, "intermediate.conv1d", s.d, s.f, up);
      grouped(b, "output.conv1d", s.f, s.d, down);
    });
    layer_norm(b, "output.layernorm", s.d);
  });
  bert_pooler(b, s.d, type);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family squeezebert{
    .model_type = "squeezebert",
    .summary = "Like BERT, with grouped convolutions instead of linear layers.",
    .classes = {"SqueezeBert", heads::encoder & ~heads::causal_lm, "transformer"},
    .backbone = backbone,
    .head = bert_head_of_type<type>,
};

}  // namespace param_ledger
