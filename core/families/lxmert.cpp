// LXMERT: BERT's layers on text, on a detector's image regions, and on both.
// Source: transformers, models/lxmert.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 30522, 12}, .pooler = Pooler::everywhere, .scaled_by_head_dim = false};

/// Records a layer with cross-attention between text and image, followed by self-attention and a feed-forward block in each of them.
void joint_layer(Builder& b, const BertSizes& s) {
  const auto projections = [&](Text name, Text module) {
    b.scope(Part::attention, name, [&] {
      require_multiple(s.d, s.n);
      b.scope(module, [&] {
        linear(b, "query", s.d, s.d, true, TensorRole::query);
        linear(b, "key", s.d, s.d, true, TensorRole::key);
        linear(b, "value", s.d, s.d, true, TensorRole::value);
      });
      linear(b, "output.dense", s.d, s.d, true);
      layer_norm(b, "output.LayerNorm", s.d);
    });
  };
  projections("visual_attention", "att");
  projections("lang_self_att", "self");
  projections("visn_self_att", "self");
  mlp(b, "", s.d, s.f, true, "lang_inter.dense", "lang_output.dense");
  layer_norm(b, "lang_output.LayerNorm", s.d);
  mlp(b, "", s.d, s.f, true, "visn_inter.dense", "visn_output.dense");
  layer_norm(b, "visn_output.LayerNorm", s.d);
}

BackboneOutput backbone(Config c, Builder& b) {
  BertSizes s{};
  s.d = s.e = c.integer("hidden_size", 768);
  s.f = c.integer("intermediate_size", 3072);
  s.vocab = c.integer("vocab_size", 30522);
  s.n = c.integer("num_attention_heads", 12, 1, Refused::no_heads);
  s.positions = c.integer("max_position_embeddings", 512);
  s.types = c.integer("type_vocab_size", 2);
  s.qkv_bias = true;
  const Expr n_text = c.integer("l_layers", 9), n_both = c.integer("x_layers", 5), n_image = c.integer("r_layers", 5);
  const Expr features = c.integer("visual_feat_dim", 2048), box = c.integer("visual_pos_dim", 4);
  const Tensor words = bert_embeddings(b, s, type);
  b.scope(Part::embedding, "encoder.visn_fc", [&] {
    linear(b, "visn_fc", features, s.d, true);
    layer_norm(b, "visn_layer_norm", s.d);
    linear(b, "box_fc", box, s.d, true);
    layer_norm(b, "box_layer_norm", s.d);
  });
  b.repeat("encoder.layer", all(n_text), [&] { bert_layer(b, s, type); });
  b.repeat("encoder.x_layers", all(n_both), [&] { joint_layer(b, s); });
  b.repeat("encoder.r_layers", all(n_image), [&] { bert_layer(b, s, type); });
  bert_pooler(b, s.d, type);
  return {.hidden = s.d, .embedding = words};
}

/// Records a classifier over a list of answers.
void answers(Config c, Builder& b, Expr d) {
  const Expr count = c.integer("num_qa_labels", 9500);
  b.scope("answer_head.logit_fc", [&] {
    linear(b, "0", d, 2 * d, true);
    layer_norm(b, "2", 2 * d);
    linear(b, "3", 2 * d, count, true);
  });
}

void dense_norm(Builder& b, Text name, Expr d) {
  b.scope(name, [&] {
    linear(b, "dense", d, d, true);
    layer_norm(b, "LayerNorm", d);
  });
}

/// Records the pre-training heads. They predict masked words, whether text and image match and, by default, the contents of image
/// regions and the answers to questions.
void pretraining(Config c, Builder& b, const BackboneOutput& m) {
  const Expr vocab = b.row(m.embedding).shape.front();
  b.scope("cls.predictions", [&] {
    dense_norm(b, "transform", m.hidden);
    b.parameter("bias", {vocab});
    language_model_head(b, {.hidden = m.hidden, .embedding = m.embedding, .language_model = "decoder"},
                        c.flag("tie_word_embeddings", true));
  });
  linear(b, "cls.seq_relationship", m.hidden, c.literal(2), true);
  if (c.flag("task_obj_predict", true))
    b.scope("obj_predict_head", [&] {
      dense_norm(b, "transform", m.hidden);
      if (c.flag("visual_obj_loss", true)) linear(b, "decoder_dict.obj", m.hidden, c.integer("num_object_labels", 1600), true);
      if (c.flag("visual_attr_loss", true)) linear(b, "decoder_dict.attr", m.hidden, c.integer("num_attr_labels", 400), true);
      if (c.flag("visual_feat_loss", true)) linear(b, "decoder_dict.feat", m.hidden, c.integer("visual_feat_dim", 2048), true);
    });
  if (c.flag("task_qa", true)) answers(c, b, m.hidden);
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] {
    if (b.architecture().head == Head::question_answering) answers(c, b, m.hidden);
    if (b.architecture().head == Head::pretraining) pretraining(c, b, m);
  });
}

}  // namespace

extern const Family lxmert{
    .model_type = "lxmert",
    .summary = "Visual question answering: BERT layers on text and object regions, with cross-attention.",
    .classes = {"Lxmert", heads::base | heads::question | heads::pretraining, "lxmert"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
