// DETR: a convolutional backbone, an encoder, and a decoder in which each query predicts an object or none. Source: transformers,
// models/detr, table_transformer.

#include "core/nn/vision/detection.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"}};

/// Records the backbone, encoder and decoder. Table Transformer is pre-norm. Therefore its encoder also ends with a norm, as the decoder
/// does.
template <bool pre_norms>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), queries = c.integer("num_queries", 100);
  Stack encoder = encoder_fields(c, d, {6, 2048, 8}), decoder = decoder_fields(c, d, {6, 2048, 8});
  encoder.even_share = decoder.even_share = pre_norms;
  const std::vector<Expr> seen = detector_backbone(c, b, "backbone.conv_encoder.model", "backbone.conv_encoder.model");
  learned_image_positions(c, b, pre_norms ? "backbone.position_embedding" : "position_embedding", d);
  b.part(Part::embedding, [&] {
    b.part(Part::adapter, [&] { conv2d(b, "input_projection", seen.back(), d, 1); });
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
  return {.hidden = d, .stages = b.pool().keep(std::span<const Expr>(seen))};
}

/// Records the attention that computes a map for each object, and the convolutions that turn these maps and the features of the first three
/// backbone levels into masks.
void mask_head(Config c, Builder& b, const BackboneOutput& m) {
  const Expr d = m.hidden, seen = d + c.integer("encoder_attention_heads", 8), eight = c.literal(8);
  const auto part_of = [&](Count n) { return floor_divide(d, c.literal(n)); };
  const Expr widths[] = {seen, part_of(2), part_of(4), part_of(8), part_of(16)};
  if (m.stages.size() < 3) c.refuse(ErrorCode::out_of_range, "backbone_config", "must name three stages as out_features for this class.");
  b.scope(Part::output_head, "mask_head", [&] {
    for (std::size_t i = 0; i < 5; ++i) {
      const std::string number = digits(i + 1);
      if (widths[i].decide() >= eight.decide()) require_multiple(widths[i], eight);
      require_positive(widths[i]);
      conv2d(b, concat({"lay", number}), i == 0 ? seen : widths[i - 1], widths[i], 3);
      group_norm(b, concat({"gn", number}), widths[i]);
    }
    for (std::size_t i = 0; i < 3; ++i) conv2d(b, concat({"adapter", digits(i + 1)}), m.stages[2 - i], widths[i + 1], 1);
    conv2d(b, "out_lay", widths[4], c.literal(1), 3);
  });
  b.scope(Part::output_head, "bbox_attention", [&] {
    for (const Text name : {"q_linear", "k_linear"}) linear(b, name, d, d, true);
  });
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  if (head == Head::object_detection) detection_head(c, b, m.hidden, true);
  if (head != Head::other) return;
  b.scope("detr", [&] { detection_head(c, b, m.hidden, true); });
  mask_head(c, b, m);
}

constexpr Architecture segmenters[] = {{"DetrForSegmentation", Head::other, "detr.model"}};

constexpr unsigned detectors = heads::base | heads::objects;

}  // namespace

extern const Family detr{
    .model_type = "detr",
    .summary = "Object detection and panoptic segmentation: a CNN backbone and a transformer with object queries.",
    .classes = {"Detr", detectors, "model", {}, segmenters},
    .aliases = aliases,
    .backbone = backbone<false>,
    .head = head,
};
extern const Family table_transformer{
    .model_type = "table-transformer",
    .summary = "Table detection and structure recognition: DETR with pre-norm layers.",
    .classes = {"TableTransformer", detectors, "model"},
    .aliases = aliases,
    .backbone = backbone<true>,
    .head = head,
};

}  // namespace param_ledger
