// ViLT: ViT's layers on image patches and words together.
// Source: transformers, models/vilt.

#include "core/nn/heads.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VitType type{.sizes = {768, 3072, 12, 12, 384, 32}, .switches = qkv_bias, .own_head_dim = false};

BackboneOutput backbone(Config c, Builder& b) {
  Vit m = vit_fields(c, type);
  m.layers.attention.scaled_by_head_dim = false;  // transformers also builds heads of dimension 0
  const Expr d = m.layers.attention.hidden;
  const Expr vocab = c.integer("vocab_size", 30522), positions = c.integer("max_position_embeddings", 40);
  const Expr types = c.integer("type_vocab_size", 2), senses = c.integer("modality_type_vocab_size", 2);
  Tensor table;
  b.scope("embeddings", [&] {
    table = embedding(b, "text_embeddings.word_embeddings", vocab, d, TensorRole::token_embedding);
    embedding(b, "text_embeddings.position_embeddings", positions, d, TensorRole::position_embedding);
    embedding(b, "text_embeddings.token_type_embeddings", types, d, TensorRole::segment_embedding);
    layer_norm(b, "text_embeddings.LayerNorm", d);
    embedding(b, "token_type_embeddings", senses, d, TensorRole::segment_embedding);
  });
  vit_embeddings(b, m);
  vision_layers(b, m.layers);
  layer_norm(b, "layernorm", d);
  if (b.architecture().head != Head::token_classification) pooler(b, "pooler.dense", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Expr d = m.hidden;
  const auto two_layers = [&](Expr width, Expr inner) {
    linear(b, "classifier.0", width, inner, true);
    layer_norm(b, "classifier.1", inner);
    linear(b, "classifier.3", inner, num_labels(c), true);
  };
  b.part(Part::output_head, [&] {
    switch (b.architecture().head) {
      case Head::masked_lm:
        c.ignore("tie_word_embeddings", "transformers always ties the embeddings and the head of this type.");
        linear(b, "mlm_score.transform.dense", d, d, true);
        layer_norm(b, "mlm_score.transform.LayerNorm", d);
        b.tied("mlm_score.decoder.weight", m.embedding);
        b.parameter("mlm_score.decoder.bias", {b.row(m.embedding).shape.front()});
        break;
      case Head::question_answering: two_layers(d, 2 * d); break;
      case Head::sequence_classification: {
        const Expr images = c.integer("num_images", required(2));
        two_layers(images * d, images * d);
        break;
      }
      case Head::token_classification: linear(b, "classifier", d, num_labels(c), true); break;
      case Head::other: linear(b, "rank_output", d, c.literal(1), true); break;
      default: break;
    }
  });
}

constexpr Architecture classes[] = {{"ViltModel", Head::none, ""},
                                    {"ViltForMaskedLM", Head::masked_lm, "vilt"},
                                    {"ViltForQuestionAnswering", Head::question_answering, "vilt"},
                                    {"ViltForTokenClassification", Head::token_classification, "vilt"},
                                    {"ViltForImagesAndTextClassification", Head::sequence_classification, "vilt"},
                                    {"ViltForImageAndTextRetrieval", Head::other, "vilt"}};

}  // namespace

extern const Family vilt{
    .model_type = "vilt",
    .summary = "Vision-language encoder: a ViT on image patches and words together.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
