// RoCBert: like BERT, with embeddings of each character's pronunciation and shape.
// Source: transformers, models/roc_bert.

#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 30522, 12}};

/// The pre-training class has the masked language model's head, and a pooler.
constexpr Architecture pretraining[] = {{"RoCBertForPreTraining", Head::masked_lm, "roc_bert"}};
constexpr BertType pooled{.pooler = Pooler::everywhere};

BackboneOutput backbone(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, type);
  const bool joined = c.flag("concat_input", true);
  const bool with_sound = c.flag("enable_pronunciation", true), with_shape = c.flag("enable_shape", true);
  const Expr sounds = c.integer("pronunciation_vocab_size", 910), d_sound = c.integer("pronunciation_embed_dim", 768);
  const Expr shapes = c.integer("shape_vocab_size", 24858), d_shape = c.integer("shape_embed_dim", 512);

  const Tensor words = bert_embeddings(b, s, type);
  b.scope(Part::embedding, "embeddings", [&] {
    table(b, "pronunciation_embed", sounds, d_sound);
    table(b, "shape_embed", shapes, d_shape);
    Expr width = s.d;
    if (with_sound) width = width + d_sound;
    if (with_shape) width = width + d_shape;
    if (joined) linear(b, "map_inputs_layer", width, s.d, true);
  });
  bert_layers(b, s, type);
  bert_pooler(b, s.d, b.architecture().name == pretraining[0].name ? pooled : type);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family roc_bert{
    .model_type = "roc_bert",
    .summary = "Like BERT, with character pronunciation and shape embeddings, for Chinese.",
    .classes = {"RoCBert", heads::encoder, "roc_bert", {}, pretraining},
    .backbone = backbone,
    .head = bert_head_of_type<type>,
    .cache = caches::nothing,
};

}  // namespace param_ledger
