// LayoutLMv3: BERT's layers on the words of a page with their positions and on image patches, by default with relative position biases.
// Source: transformers, models/layoutlmv3.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/text/legacy_buffers.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 50265, 12}, .scaled_by_head_dim = false, .decodes = false};

constexpr unsigned labels_of_two_layers = 10;

/// Records the word and position embeddings. Returns the word embeddings.
Tensor text_embeddings(Config c, Builder& b, const BertSizes& s) {
  const Expr places = c.integer("max_2d_position_embeddings", 1024);
  const Expr coordinate = c.integer("coordinate_size", 128), shape = c.integer("shape_size", 128);
  const Tensor words = bert_embeddings(b, s, type);
  b.scope("embeddings", [&] {
    for (const Text name : {"x_position_embeddings", "y_position_embeddings"})
      embedding(b, name, places, coordinate, TensorRole::position_embedding);
    for (const Text name : {"h_position_embeddings", "w_position_embeddings"})
      embedding(b, name, places, shape, TensorRole::position_embedding);
    legacy_positions(b, s.positions);
  });
  return words;
}

/// Records the embeddings of image patches. In the sequence, the patches follow the words.
void image_embeddings(Config c, Builder& b, Expr d) {
  const Expr image = c.integer("input_size", 224), channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 16);
  b.part(Part::embedding, [&] {
    patch_embedding(b, "patch_embed.proj", channels, d, patch);
    tokens(b, "cls_token", 1, d);
    tokens(b, "pos_embed", power(floor_divide(image, patch), 2) + 1, d, TensorRole::position_embedding);
  });
  for (const Text name : {"LayerNorm", "norm"}) layer_norm(b, name, d);
}

BackboneOutput backbone(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, type);
  const bool relative = c.flag("has_relative_attention_bias", true), spatial = c.flag("has_spatial_attention_bias", true);
  const Expr bins = c.integer("rel_pos_bins", 32), bins_2d = c.integer("rel_2d_pos_bins", 64);
  Tensor words;
  if (c.flag("text_embed", true)) words = text_embeddings(c, b, s);
  if (c.flag("visual_embed", true)) image_embeddings(c, b, s.d);
  bert_layers(b, s, type);
  b.scope(Part::attention, "encoder", [&] {
    const InBlock block(b, {Mechanism::relative_position_bias});
    if (relative) linear(b, "rel_pos_bias", bins, s.n);
    if (!spatial) return;
    for (const Text name : {"rel_pos_x_bias", "rel_pos_y_bias"}) linear(b, name, bins_2d, s.n);
  });
  return {.hidden = s.d, .embedding = words};
}

/// Records the head. For token classification with fewer than 10 labels it is one linear layer, otherwise it has two layers.
void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  if (kind == Head::none) return;
  const Expr labels = num_labels(c);
  b.part(Part::output_head, [&] {
    if (kind == Head::token_classification && labels.decide() < labels_of_two_layers)
      linear(b, "classifier", m.hidden, labels, true);
    else
      two_layer_classifier(b, kind == Head::question_answering ? "qa_outputs" : "classifier", m.hidden, labels);
  });
}

}  // namespace

extern const Family layoutlmv3{
    .model_type = "layoutlmv3",
    .summary = "Document understanding: BERT on words, their 2D positions and image patches.",
    .classes = {"LayoutLMv3", heads::base | heads::sequence | heads::token | heads::question, "layoutlmv3"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
