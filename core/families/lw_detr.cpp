// LW-DETR and RF-DETR: a vision transformer with windowed attention, convolutions that fuse the outputs of its layers, and groups of
// queries.
// Source: transformers, models/lw_detr, rf_detr.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/vit.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

/// The transformer layers' outputs that the projector reads: their width and their number.
struct TakenLevels {
  Expr width, count;
};

/// The layer outputs that the projector reads: those that the backbone's section selects or, without that section, four. `said`: whether
/// there is a section. Throws if it selects none.
TakenLevels taken(Config c, Expr width, Expr n_layers, bool said) {
  constexpr std::size_t unsaid = 4;
  require_listable(n_layers);
  const std::size_t count = said ? tapped_stages(c, static_cast<std::size_t>(n_layers.decide())).size() : unsaid;
  if (count == 0) c.refuse(ErrorCode::out_of_range, "out_indices", "must name at least one stage of the backbone.");
  return {width, c.count("num_taken_layers", "L_t", "Layers whose outputs are used.", count)};
}

TakenLevels windows_vit(Config c, Builder& b, bool said) {
  const Expr d = c.integer("hidden_size", said ? 768 : 192), n_layers = c.integer("num_hidden_layers", said ? 12 : 10);
  const Expr heads = c.integer("num_attention_heads", 12, 1), inner = c.scaled("mlp_ratio", 4.0, d, "mlp_width", "f");
  const Expr wide = heads * c.integer("head_dim", attribute.or_else(floor_divide(d, heads))), channels = c.integer("num_channels", 3);
  const Sides image = c.sides("pretrain_image_size", 224), patch = c.sides("patch_size", 16);
  const bool bias = c.flag("qkv_bias", true);
  b.scope(Part::embedding, "embeddings", [&] {
    if (c.flag("use_absolute_position_embeddings", true))
      tokens(b, "position_embeddings", area(grid(image, patch)) + 1, d, TensorRole::position_embedding);
    patch_embedding(b, "projection", channels, d, patch);
  });
  b.repeat("encoder.layer", all(n_layers), [&] {
    b.scope(Part::attention, "attention", [&] {
      linear(b, "attention.query", d, wide, bias, TensorRole::query);
      linear(b, "attention.key", d, wide, false, TensorRole::key);
      linear(b, "attention.value", d, wide, bias, TensorRole::value);
      linear(b, "output", wide, d, true);
    });
    mlp(b, "intermediate", d, inner, true, "fc1", "fc2");
    for (const Text name : {"layernorm_before", "layernorm_after"}) layer_norm(b, name, d);
    b.part(Part::norm, [&] {
      for (const Text name : {"gamma_1", "gamma_2"}) layer_scale(b, name, d);
    });
  });
  return taken(c, d, n_layers, said);
}

TakenLevels windows_dinov2(Config c, Builder& b, bool said) {
  const Expr d = c.integer("hidden_size", said ? 768 : 384), n_layers = c.integer("num_hidden_layers", 12);
  const Expr heads = c.integer("num_attention_heads", fixed(said ? 12 : 6), 1), channels = c.integer("num_channels", 3);
  const Expr wide = heads * c.integer("head_dim", attribute.or_else(floor_divide(d, heads)));
  const Expr inner = c.scaled("mlp_ratio", 4.0, d, "mlp_width", "f");
  const Sides image = c.sides("image_size", said ? 224 : 518), patch = c.sides("patch_size", 14);
  const bool bias = c.flag("qkv_bias", true), gated = c.flag("use_swiglu_ffn", false);
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "cls_token", 1, d);
    if (c.flag("use_mask_token", true)) b.parameter("mask_token", {c.literal(1), d}, StorageKind::table);
    tokens(b, "position_embeddings", area(grid(image, patch)) + 1, d, TensorRole::position_embedding);
    patch_embedding(b, "patch_embeddings.projection", channels, d, patch);
  });
  b.repeat("encoder.layer", all(n_layers), [&] {
    for (const Text name : {"norm1", "norm2"}) layer_norm(b, name, d);
    b.scope(Part::attention, "attention", [&] {
      for (const Text name : {"attention.query", "attention.key", "attention.value"}) linear(b, name, d, wide, bias);
      linear(b, "output.dense", wide, d, true);
    });
    if (gated)
      gated_mlp(b, "mlp", d, 8 * ceil_divide(floor_divide(2 * inner, c.literal(3)), c.literal(8)), true);
    else
      mlp(b, "mlp", d, inner, true, "fc1", "fc2");
    b.part(Part::norm, [&] {
      for (const Text name : {"layer_scale1.lambda1", "layer_scale2.lambda1"}) layer_scale(b, name, d);
    });
  });
  layer_norm(b, "layernorm", d);
  return taken(c, d, n_layers, said);
}

/// The projector's module names in files.
struct Names {
  Text conv1, conv2, norm, blocks, block1, block2, last_norm;
  bool batch;  ///< whether there are batch norms instead of layer norms
};
constexpr Names of_lw{
    "projector_layer.conv1", "projector_layer.conv2", "norm", "projector_layer.bottlenecks", "conv1", "conv2", "layer_norm", true};
constexpr Names of_rf{"0.cv1", "0.cv2", "bn", "0.m", "cv1", "cv2", "1", false};

void convolution_of(Builder& b, const Names& names, Text name, Expr in, Expr out, int kernel) {
  b.scope(name, [&] {
    conv2d(b, "conv", in, out, kernel, false);
    if (names.batch)
      batch_norm(b, names.norm, out);
    else
      layer_norm(b, names.norm, out);
  });
}

/// Records a CSP block of convolutions that fuses the outputs of the transformer layers.
void joined(Config c, Builder& b, const Names& names, Expr in, Expr d) {
  const Expr inner = c.scaled("hidden_expansion", 0.5, d, "expanded_width", "d_x"), n_blocks = c.integer("c2f_num_blocks", 3);
  convolution_of(b, names, names.conv1, in, 2 * inner, 1);
  convolution_of(b, names, names.conv2, (n_blocks + 2) * inner, d, 1);
  b.repeat(names.blocks, all(n_blocks), [&] {
    for (const Text name : {names.block1, names.block2}) convolution_of(b, names, name, inner, inner, 3);
  });
  layer_norm(b, names.last_norm, d);
}

/// Records the projector of one feature level. It resizes the transformer layers' outputs by `scale` and then fuses them.
void level(Config c, Builder& b, const TakenLevels& m, double scale, Expr d) {
  constexpr Count wide = 512;
  const bool doubles = scale == 2.0, narrows = m.width.decide() > wide;
  const Expr half = floor_divide(m.width, c.literal(2)), quarter = floor_divide(m.width, c.literal(4));
  b.repeat("sampling_layers", all(m.count), [&] {
    if (scale == 0.5) convolution_of(b, of_lw, "layers.0", m.width, m.width, 3);
    if (doubles && narrows) {
      convolution_of(b, of_lw, "layers.0", m.width, half, 1);
      transposed_conv2d(b, "layers.1", half, quarter, 2);
    }
    if (doubles && !narrows) transposed_conv2d(b, "layers.0", m.width, half, 2);
  });
  joined(c, b, of_lw, (!doubles ? m.width : narrows ? quarter : half) * m.count, d);
}

/// Records the groups of queries and, for each group, the layers that select candidate boxes from the encoder's output and refine them.
void queries(Config c, Builder& b, Expr d, Text in, Text points) {
  const Expr groups = c.integer("group_detr", 13), count = c.integer("num_queries", 300) * groups, four = c.literal(4);
  b.part(Part::embedding, [&] {
    table(b, points, count, four);
    table(b, "query_feat", count, d);
  });
  b.scope(Part::output_head, in, [&] {
    b.repeat("enc_output", all(groups), [&] { linear(b, "", d, d, true); });
    b.repeat("enc_output_norm", all(groups), [&] { layer_norm(b, "", d); });
    b.repeat("enc_out_bbox_embed", all(groups), [&] { mlp_head(b, "", d, d, four, 3); });
    b.repeat("enc_out_class_embed", all(groups), [&] { linear(b, "", d, num_labels(c), true); });
  });
}

/// Records the decoder. `fused`: whether the tensors are named as in RF-DETR's files, which also store a layer's query, key and value
/// projections as one matrix.
void decoder(Config c, Builder& b, Expr d, Expr levels, bool fused) {
  const Expr heads = c.integer("decoder_self_attention_heads", fixed(8), 1), seen = c.integer("decoder_cross_attention_heads", 16);
  const Expr wide = heads * c.integer("head_dim", attribute.or_else(floor_divide(d, heads)));
  const Expr inner = c.integer("decoder_ffn_dim", 2048), points = c.integer("decoder_n_points", 4);
  const bool bias = c.flag("attention_bias", true);
  b.repeat("layers", all(c.integer("decoder_layers", 3)), [&] {
    b.scope(Part::attention, "self_attn", [&] {
      if (fused) {
        b.parameter("in_proj_weight", {3 * wide, d}, StorageKind::matrix);
        if (bias) b.parameter("in_proj_bias", {3 * wide});
      } else {
        query_key_value(b, d, wide, bias);
      }
      linear(b, fused ? "out_proj" : "o_proj", wide, d, bias, TensorRole::output);
    });
    b.owned_by(Owner::cross, [&] { deformable_attention(b, "cross_attn", {d, seen, levels, points}); });
    mlp(b, fused ? "" : "mlp", d, inner, true, fused ? "linear1" : "fc1", fused ? "linear2" : "fc2");
    layer_norm(b, fused ? "norm1" : "self_attn_layer_norm", d);
    layer_norm(b, fused ? "norm2" : "cross_attn_layer_norm", d);
    layer_norm(b, fused ? "norm3" : "layer_norm", d);
  });
  layer_norm(b, fused ? "norm" : "layernorm", d);
  b.part(Part::embedding, [&] { mlp_head(b, "ref_point_head", 2 * d, d, d, 2); });
}

BackboneOutput lw_backbone(Config c, Builder& b) {
  Config section = c.section("backbone_config");
  const bool said = is_given(c, "backbone_config");
  const Expr d = c.integer("d_model", 256);
  const std::vector<double> scales = numbers(c, "projector_scale_factors", {});
  if (!said) refuse_named_backbone(c);
  require_type(section, "lw_detr_vit");
  TakenLevels m;
  b.tower(Tower::vision, "backbone.backbone", [&] { m = windows_vit(section, b, said); });
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (scales[i] != 0.5 && scales[i] != 1.0 && scales[i] != 2.0)
      c.refuse(ErrorCode::out_of_range, "projector_scale_factors", "must contain 0.5, 1.0 or 2.0.");
    b.tower(Tower::projector, concat({"backbone.projector.scale_layers.", digits(i)}), [&] { level(c, b, m, scales[i], d); });
  }
  queries(c, b, d, "", "reference_point_embed");
  const Expr levels = c.count("num_scales", "L_s", "Feature levels that are computed.", scales.size());
  b.scope("decoder", [&] { decoder(c, b, d, c.integer("num_feature_levels", attribute.or_else(levels)), false); });
  return {.hidden = d};
}

BackboneOutput rf_backbone(Config c, Builder& b) {
  Config section = c.section("backbone_config");
  const bool said = is_given(c, "backbone_config");
  const Expr d = c.integer("d_model", 256), levels = c.integer("num_feature_levels", 1);
  refuse_named_backbone(c);
  require_type(section, "rf_detr_dinov2");
  TakenLevels m;
  b.tower(Tower::vision, "backbone.0.encoder.encoder", [&] { m = windows_dinov2(section, b, said); });
  b.tower(Tower::projector, "backbone.0.projector.stages.0", [&] { joined(c, b, of_rf, m.width * m.count, d); });
  queries(c, b, d, "transformer", "refpoint_embed");
  b.scope("transformer.decoder", [&] { decoder(c, b, d, levels, true); });
  return {.hidden = d};
}

/// Records the segmentation head. It has one block per decoder layer; the blocks refine a feature map one after another, and each result is
/// multiplied with the queries of that decoder layer.
void paint_masks(Config c, Builder& b, Expr d) {
  const Expr inner = c.integer("intermediate_size", 1024), n_layers = c.integer("decoder_layers", 3);
  b.scope(Part::output_head, "segmentation_head", [&] {
    b.repeat("blocks", all(n_layers), [&] {
      depthwise_conv2d(b, "dwconv", d, 3);
      layer_norm(b, "norm", d);
      linear(b, "pwconv1", d, d, true);
    });
    conv2d(b, "spatial_features_proj", d, d, 1);
    layer_norm(b, "query_features_block.norm_in", d);
    linear(b, "query_features_block.layers.0", d, inner, true);
    linear(b, "query_features_block.layers.2", inner, d, true);
    linear(b, "query_features_proj", d, d, true);
    b.parameter("bias", {c.literal(1)});
  });
}

/// Records the heads. All decoder layers share the heads for classes and boxes.
void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  if (head == Head::none) return;
  if (head == Head::other) paint_masks(c, b, m.hidden);
  b.part(Part::output_head, [&] {
    linear(b, "class_embed", m.hidden, num_labels(c), true);
    mlp_head(b, "bbox_embed", m.hidden, m.hidden, c.literal(4), 3);
  });
}

constexpr Architecture rf_classes[] = {{"RfDetrModel", Head::none, ""},
                                       {"RfDetrForObjectDetection", Head::object_detection, ""},
                                       {"RfDetrForInstanceSegmentation", Head::other, ""}};

}  // namespace

extern const Family lw_detr{
    .model_type = "lw_detr",
    .summary = "Real-time object detection: a windowed ViT with grouped queries.",
    .classes = {"LwDetr", heads::base | heads::objects, "model"},
    .backbone = lw_backbone,
    .head = head,
};
extern const Family rf_detr{
    .model_type = "rf_detr",
    .summary = "Real-time object detection and segmentation: like LW-DETR, with DINOv2.",
    .classes = {.listed = rf_classes},
    .backbone = rf_backbone,
    .head = head,
};

}  // namespace param_ledger
