// SwiftFormer: stages of convolutions that end in additive attention, which is linear in the number of positions.
// Source: transformers, models/swiftformer.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

/// Records a depthwise convolution with a batch norm, two 1 × 1 convolutions and a LayerScale.
void mixing(Builder& b, Expr d, Expr inner) {
  depthwise_conv2d(b, "depth_wise_conv", d, 3);
  batch_norm(b, "norm", d);
  conv2d(b, "point_wise_conv1", d, inner, 1);
  conv2d(b, "point_wise_conv2", inner, d, 1);
  b.parameter("layer_scale", {d, b.pool().literal(1), b.pool().literal(1)});
}

void attending(Builder& b, Expr d, Expr inner, bool scaled) {
  const Expr one = b.pool().literal(1);
  b.scope("local_representation", [&] { mixing(b, d, d); });
  b.scope(Part::attention, "attn", [&] {
    b.parameter("w_g", {d, one});
    for (const Text name : {"to_query", "to_key", "proj", "final"}) linear(b, name, d, d, true);
  });
  b.scope(Part::feed_forward, "linear", [&] {
    batch_norm(b, "norm1", d);
    conv2d(b, "fc1", d, inner, 1);
    conv2d(b, "fc2", inner, d, 1);
  });
  if (scaled)
    for (const Text name : {"layer_scale_1", "layer_scale_2"}) b.parameter(name, {d, one, one});
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), ratio = c.integer("mlp_ratio", 4);
  const std::vector<Expr> depths = c.dimensions("depths", {3, 3, 6, 4}), widths = c.dimensions("embed_dims", {48, 56, 112, 220});
  const std::vector<bool> shrinks = switches(c, "downsamples", {true, true, true, true});
  const Sides kernel = c.sides("down_patch_size", 3);
  const bool scaled = c.flag("use_layer_scale", true);
  if (depths.empty() || widths.size() < depths.size() || shrinks.size() + 1 < depths.size())
    c.refuse(ErrorCode::inconsistent, "depths", "must have an entry for each of embed_dims and downsamples.", Refused::list_length);
  const Expr half = floor_divide(widths[0], c.literal(2));
  b.scope(Part::embedding, "patch_embed.patch_embedding", [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    conv_norm(b, "", channels, half, 3, {.convolution = "0", .norm = "1", .bias = true});
    conv_norm(b, "", half, widths[0], 3, {.convolution = "3", .norm = "4", .bias = true});
  });
  std::size_t at = 0;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const Expr d = widths[i], inner = ratio * d, depth = depths[i];
    b.scope(Part::convolution, concat({"encoder.network.", digits(at++), ".blocks"}), [&] {
      if (depth.decide() == 0) return;
      if (depth.decide() > 1) b.repeat("", all(depth - 1), [&] { mixing(b, d, inner); });
      b.repeat("", only(static_cast<std::uint64_t>(depth.decide() - 1)), [&] { attending(b, d, inner, scaled); });
    });
    if (i + 1 == depths.size() || (!shrinks[i] && widths[i + 1].decide() == d.decide())) continue;
    b.scope(Part::convolution, "", [&] {
      conv_norm(b, concat({"encoder.network.", digits(at++)}), d, widths[i + 1], kernel,
                {.convolution = "proj", .norm = "norm", .bias = true});
    });
  }
  return {.hidden = widths.back()};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::image_classification) return;
  batch_norm(b, "norm", m.hidden);
  classifier(c, b, "head", m.hidden);
  classifier(c, b, "dist_head", m.hidden);
}

}  // namespace

extern const Family swiftformer{
    .model_type = "swiftformer",
    .summary = "Mobile vision model: convolutional stages with efficient additive attention.",
    .classes = {"SwiftFormer", heads::base | heads::image, "swiftformer"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
