// Deformable DETR: like DETR, on num_feature_levels feature maps. Attention to these maps is deformable: each query attends to a few
// sampled positions.
// Source: transformers, models/deformable_detr.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), queries = c.integer("num_queries", 300), n_levels = c.integer("num_feature_levels", 4);
  const Stack encoder = encoder_fields(c, d, {6, 1024, 8}), decoder = decoder_fields(c, d, {6, 1024, 8});
  const Expr encoder_points = c.integer("encoder_n_points", 4), decoder_points = c.integer("decoder_n_points", 4);
  const bool two_stage = c.flag("two_stage", false);
  const std::vector<Expr> seen =
      detector_backbone(c, b, "backbone.conv_encoder.model", "backbone.conv_encoder.model", n_levels.decide() > 1 ? 3 : 1);
  learned_image_positions(c, b, "position_embedding", d);
  image_levels(b, "input_proj", seen, d, n_levels, true);
  b.part(Part::embedding, [&] {
    b.parameter("level_embed", {n_levels, d}, StorageKind::table);
    if (!two_stage) table(b, "query_position_embeddings", queries, 2 * d);
  });
  const auto rest = [&](const Stack& m) {
    mlp(b, "", d, m.inner, true, "fc1", "fc2");
    layer_norm(b, "final_layer_norm", d);
  };
  b.repeat("encoder.layers", all(encoder.n_layers), [&] {
    deformable_attention(b, "self_attn", {d, encoder.heads, n_levels, encoder_points});
    layer_norm(b, "self_attn_layer_norm", d);
    rest(encoder);
  });
  b.repeat("decoder.layers", all(decoder.n_layers), [&] {
    attention(b, "self_attn", {.hidden = d, .heads = decoder.heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
    layer_norm(b, "self_attn_layer_norm", d);
    b.owned_by(Owner::cross, [&] { deformable_attention(b, "encoder_attn", {d, decoder.heads, n_levels, decoder_points}); });
    layer_norm(b, "encoder_attn_layer_norm", d);
    rest(decoder);
  });
  b.part(Part::output_head, [&] {
    if (!two_stage) return linear(b, "reference_points", d, c.literal(2), true);
    linear(b, "enc_output", d, d, true);
    layer_norm(b, "enc_output_norm", d);
    linear(b, "pos_trans", 2 * d, 2 * d, true);
    layer_norm(b, "pos_trans_norm", 2 * d);
  });
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::object_detection) return;
  const bool refined = c.flag("with_box_refine", false), two_stage = c.flag("two_stage", false);
  if (!c.flag("tie_word_embeddings", true)) c.refuse(ErrorCode::unsupported, "tie_word_embeddings", "must be true here.");
  const Expr labels = num_labels(c), n_layers = c.integer("decoder_layers", 6), count = two_stage ? n_layers + 1 : n_layers;
  layer_heads(b, "class_embed", m.hidden, labels, count, false, two_stage);
  layer_heads(b, "bbox_embed", m.hidden, c.literal(4), count, true, refined);
}

}  // namespace

extern const Family deformable_detr{
    .model_type = "deformable_detr",
    .summary = "Object detection: DETR with multi-scale deformable attention.",
    .classes = {"DeformableDetr", heads::base | heads::objects, "model"},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
