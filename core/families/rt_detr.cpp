// RT-DETR, in two versions: the feature levels in encode_proj_layers (by default one) pass through transformer layers, convolutions fuse
// all levels, and the highest-scoring positions become queries. Source: transformers, models/rt_detr, rt_detr_v2.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/hybrid_encoder.hpp"

namespace param_ledger {

extern const Family rt_detr_resnet;

namespace {

template <bool second>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), seen_width = c.integer("encoder_hidden_dim", 256);
  const Expr points = c.integer("decoder_n_points", 4);
  const Stack decoder = decoder_fields(c, d, {6, 1024, 8});
  const std::vector<Expr> seen = hybrid_backbone(c, b, "backbone.model", rt_detr_resnet);
  encoder_input_proj(b, "encoder_input_proj", seen, seen_width);
  hybrid_layers(c, b, seen_width);
  fuse_hybrid_levels(c, b, seen_width, c.dimensions("encoder_in_channels", {512, 1024, 2048}).size());
  query_selection(c, b, d);
  decoder_levels(c, b, d);
  const Expr n_levels = second ? c.integer("decoder_n_levels", 3) : c.integer("num_feature_levels", 3);
  b.repeat("decoder.layers", all(decoder.n_layers), [&] {
    attention(b, "self_attn", {.hidden = d, .heads = decoder.heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
    layer_norm(b, "self_attn_layer_norm", d);
    b.owned_by(Owner::cross, [&] { deformable_attention(b, "encoder_attn", {d, decoder.heads, n_levels, points}); });
    if (second) b.part(Part::attention, [&] { b.buffer("encoder_attn.n_points_scale", {n_levels * points}); });
    layer_norm(b, "encoder_attn_layer_norm", d);
    mlp(b, "", d, decoder.inner, true, "fc1", "fc2");
    layer_norm(b, "final_layer_norm", d);
  });
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::object_detection) return;
  const Expr labels = num_labels(c), n_layers = c.integer("decoder_layers", 6);
  b.scope(Part::output_head, "model.decoder", [&] {
    b.repeat("class_embed", all(n_layers), [&] { linear(b, "", m.hidden, labels, true); });
    b.repeat("bbox_embed", all(n_layers), [&] { mlp_head(b, "", m.hidden, m.hidden, c.literal(4), 3); });
  });
}

void second_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::object_detection) return;
  if (!c.flag("tie_word_embeddings", true)) c.refuse(ErrorCode::unsupported, "tie_word_embeddings", "must be true here.");
  const Expr n_layers = c.integer("decoder_layers", 6);
  layer_heads(b, "class_embed", m.hidden, num_labels(c), n_layers, false, true);
  layer_heads(b, "bbox_embed", m.hidden, c.literal(4), n_layers, true, true);
}

}  // namespace

extern const Family rt_detr{
    .model_type = "rt_detr",
    .summary = "Real-time object detection: a hybrid encoder, and queries selected from image features.",
    .classes = {"RTDetr", heads::base | heads::objects, "model"},
    .aliases = hybrid_aliases,
    .backbone = backbone<false>,
    .head = head,
};
extern const Family rt_detr_v2{
    .model_type = "rt_detr_v2",
    .summary = "Like RT-DETR, with improved deformable attention sampling.",
    .classes = {"RTDetrV2", heads::base | heads::objects, "model"},
    .aliases = hybrid_aliases,
    .backbone = backbone<true>,
    .head = second_head,
};

}  // namespace param_ledger
