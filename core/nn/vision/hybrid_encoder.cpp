#include "core/nn/vision/hybrid_encoder.hpp"

#include "core/config/constraints.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view layer_types[] = {"basic", "bottleneck"};

/// Records a ResNet layer. `pooled`: its shortcut begins with average pooling, as in the first layer of a stage that downsamples
/// (bottleneck layers) or changes the width (basic layers).
void resnet_layer(Builder& b, Expr in, Expr out, bool bottleneck, bool shortcut, bool pooled) {
  const auto convolution = [&](Text name, Expr from, Expr to, int kernel) { conv_norm(b, name, from, to, kernel); };
  if (shortcut) convolution(pooled ? "shortcut.1" : "shortcut", in, out, 1);
  if (!bottleneck) {
    convolution("layer.0", in, out, 3);
    return convolution("layer.1", out, out, 3);
  }
  const Expr inner = floor_divide(out, b.pool().literal(4));
  convolution("layer.0", in, inner, 1);
  convolution("layer.1", inner, inner, 3);
  convolution("layer.2", inner, out, 1);
}

BackboneOutput resnet_backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), stem = c.integer("embedding_size", 64), half = floor_divide(stem, c.literal(2));
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {256, 512, 1024, 2048}), depths = c.dimensions("depths", {3, 4, 6, 3});
  const bool bottleneck = c.text("layer_type", "bottleneck", layer_types) == "bottleneck",
             first_shrinks = c.flag("downsample_in_first_stage", false);
  b.part(Part::convolution, [&] {
    conv_norm(b, "embedder.embedder.0", channels, half, 3);
    conv_norm(b, "embedder.embedder.1", half, half, 3);
    conv_norm(b, "embedder.embedder.2", half, stem, 3);
    for (const Stage& s : stages(c, "encoder.stages", stem, "hidden_sizes", widths, "depths", depths))
      b.scope(s.name, [&] {
        const bool shrinks = s.index > 0 || first_shrinks, widens = s.in.decide() != s.out.decide();
        b.repeat("layers", only(0),
                 [&] { resnet_layer(b, s.in, s.out, bottleneck, !bottleneck || shrinks || widens, bottleneck ? shrinks : widens); });
        b.repeat("layers", between(c.literal(1), s.depth), [&] { resnet_layer(b, s.out, s.out, bottleneck, false, false); });
      });
  });
  std::vector<Expr> given{stem};
  given.insert(given.end(), widths.begin(), widths.end());
  return {.hidden = widths.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

}  // namespace

extern const Family rt_detr_resnet{
    .model_type = "rt_detr_resnet",
    .backbone = resnet_backbone,
};

std::vector<Expr> hybrid_backbone(Config c, Builder& b, Text name, const Family& fallback) {
  std::vector<Expr> out;
  const auto record = [&] { out = taken_backbone(c, b, name, fallback, 2); };
  if (c.flag("freeze_backbone_batch_norms", true))
    b.frozen(record);
  else
    record();
  return out;
}

void csp_layer(Builder& b, Text name, Expr in, Expr inner, Expr out, Expr n_blocks) {
  b.scope(Part::convolution, name, [&] {
    for (const Text way : {"conv1", "conv2"}) conv_norm(b, way, in, inner, 1, conv_and_norm);
    b.repeat("bottlenecks", all(n_blocks), [&] {
      conv_norm(b, "conv1", inner, inner, 3, conv_and_norm);
      conv_norm(b, "conv2", inner, inner, 1, conv_and_norm);
    });
    if (inner.decide() != out.decide()) conv_norm(b, "conv3", inner, out, 1, conv_and_norm);
  });
}

void encoder_input_proj(Builder& b, Text name, const std::vector<Expr>& widths, Expr d) {
  b.tower(Tower::projector, name, [&] {
    for (std::size_t i = 0; i < widths.size(); ++i) conv_norm(b, digits(i), widths[i], d, 1, {.convolution = "0", .norm = "1"});
  });
}

void decoder_levels(Config c, Builder& b, Expr d) {
  const std::vector<Expr> widths = c.dimensions("decoder_in_channels", {256, 256, 256});
  const Expr n_levels = c.integer("num_feature_levels", 3);
  if (widths.empty()) c.refuse(ErrorCode::out_of_range, "decoder_in_channels", "must have at least 1 entry.", Refused::list_length);
  encoder_input_proj(b, "decoder_input_proj", widths, d);
  require_listable(n_levels);
  b.tower(Tower::projector, "decoder_input_proj", [&] {
    for (std::size_t i = widths.size(); i < n_levels.decide(); ++i)
      conv_norm(b, digits(i), i == widths.size() ? widths.back() : d, d, 3, {.convolution = "0", .norm = "1"});
  });
}

void hybrid_layers(Config c, Builder& b, Expr d) {
  Stack layers = encoder_fields(c, d, {1, 1024, 8});
  layers.even_share = false;
  const std::size_t times = c.integers("encode_proj_layers", {2}).size();
  b.repeat("encoder.encoder", all(c.count("num_encoded_levels", "L_e", "Feature levels that pass through encoder layers.", times)),
           [&] { stack_layers(b, layers); });
}

void fuse_hybrid_levels(Config c, Builder& b, Expr d, std::size_t n_levels) {
  const Expr inner = c.scaled("hidden_expansion", 1.0, d, "expanded_width", "d_x");
  if (n_levels == 0) c.refuse(ErrorCode::out_of_range, "encoder_in_channels", "must have at least 1 entry.", Refused::list_length);
  const Expr joints = c.count("num_joints", "L_j", "Number of fusions of neighbouring feature levels.", n_levels - 1);
  b.scope(Part::convolution, "encoder", [&] {
    b.repeat("lateral_convs", all(joints), [&] { conv_norm(b, "", d, d, 1, conv_and_norm); });
    b.repeat("downsample_convs", all(joints), [&] { conv_norm(b, "", d, d, 3, conv_and_norm); });
    for (const Text blocks : {"fpn_blocks", "pan_blocks"})
      b.repeat(blocks, all(joints), [&] { csp_layer(b, "", 2 * d, inner, d, c.literal(3)); });
  });
}

void query_selection(Config c, Builder& b, Expr d, bool by_three) {
  const Expr labels = num_labels(c), queries = c.integer("num_queries", 300), four = c.literal(4);
  const bool denoises = c.integer("num_denoising", 100).decide() > 0, learned = c.flag("learn_initial_query", false);
  b.part(Part::embedding, [&] {
    if (denoises) table(b, "denoising_class_embed", labels + 1, d);
    if (learned) table(b, "weight_embedding", queries, d);
    mlp_head(b, "decoder.query_pos_head", four, by_three ? d : 2 * d, d, by_three ? 3 : 2);
  });
  b.part(Part::output_head, [&] {
    linear(b, "enc_output.0", d, d, true);
    layer_norm(b, "enc_output.1", d);
    linear(b, "enc_score_head", d, labels, true);
    mlp_head(b, "enc_bbox_head", d, d, four, 3);
  });
}

}  // namespace param_ledger
