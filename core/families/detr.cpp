// DETR: a backbone of convolutions, an encoder of what it sees, and a decoder whose queries each tell of an object, or of none.
// Source: transformers, models/detr, table_transformer.

#include "core/blocks/detection.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"}};

/// The norms of Table Transformer stand before the blocks, so there is one after the encoder, too.
template <bool pre_norms>
Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), queries = c.integer("num_queries", 100);
  Stack encoder = encoder_fields(c, d, {6, 2048, 8}), decoder = decoder_fields(c, d, {6, 2048, 8});
  encoder.even_share = decoder.even_share = pre_norms;
  const DetectorBackbone seen = detector_backbone(c, b, "backbone.conv_encoder.model", "backbone.conv_encoder.model");
  learned_image_positions(c, b, pre_norms ? "backbone.position_embedding" : "position_embedding", d);
  b.part(Part::embedding, [&] {
    conv2d(b, "input_projection", seen.widths.back(), d, 1);
    table(b, "query_position_embeddings", queries, d);
  });
  b.scope("encoder", [&] {
    stack_layers(b, encoder);
    if (pre_norms) layer_norm(b, "layernorm", d);
  });
  b.scope("decoder", [&] {
    stack_layers(b, decoder);
    layer_norm(b, "layernorm", d);
  });
  return {.hidden = d};
}

void head(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head == Head::object_detection) detection_head(c, b, m.hidden, true);
}

constexpr unsigned detectors = heads::base | heads::objects;

}  // namespace

extern const Family detr{
    .model_type = "detr",
    .summary = "A backbone of convolutions, and queries that each tell of an object.",
    .classes = {"Detr", detectors, "model"},
    .aliases = aliases,
    .backbone = backbone<false>,
    .head = head,
};
extern const Family table_transformer{
    .model_type = "table-transformer",
    .summary = "As DETR, to find tables.",
    .classes = {"TableTransformer", detectors, "model"},
    .aliases = aliases,
    .backbone = backbone<true>,
    .head = head,
};

}  // namespace param_ledger
