// ResNet and RegNet: a stem and stages of residual convolutions with batch norm. Source: transformers, models/resnet, regnet.

#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view resnet_layers[] = {"basic", "bottleneck"}, regnet_layers[] = {"x", "y"};

/// Returns the final width, and the output widths of the stem and of each stage for models that use the network as a backbone.
BackboneOutput given(Builder& b, Expr stem, const std::vector<Expr>& widths) {
  std::vector<Expr> all{stem};
  all.insert(all.end(), widths.begin(), widths.end());
  return {.hidden = widths.back(), .stages = b.pool().keep(std::span<const Expr>(all))};
}

BackboneOutput resnet_backbone(Config c, Builder& b) {
  ResNet m{.channels = c.integer("num_channels", 3), .stem = c.integer("embedding_size", 64)};
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {256, 512, 1024, 2048}), depths = c.dimensions("depths", {3, 4, 6, 3});
  m.bottleneck = c.text("layer_type", "bottleneck", resnet_layers) == "bottleneck";
  m.shrinks_first = c.flag("downsample_in_first_stage", false);
  resnet_stem(b, m);
  for (const Stage& stage : stages(c, "encoder.stages", m.stem, "hidden_sizes", widths, "depths", depths)) resnet_stage(b, m, stage);
  return given(b, m.stem, widths);
}

/// A quarter of `e`, rounded half to even like Python's round().
Expr quarter(Builder& b, Expr e) {
  const bool half_to_floor = e.decide() % 4 == 2 && e.decide() / 4 % 2 == 0;
  return floor_divide(half_to_floor ? e : e + 2, b.pool().literal(4));
}

struct RegNetLayer {
  Expr in, out, groups_width;
  bool excites, shortcut;
};

/// Records two 1 × 1 convolutions around a grouped one, squeeze-and-excitation for type "y" and, if `shortcut`, a shortcut convolution.
void regnet_layer(Builder& b, const RegNetLayer& m) {
  const Expr one = b.pool().literal(1), of_width = floor_divide(m.out, m.groups_width);
  if (m.shortcut) conv_norm(b, "shortcut", m.in, m.out, 1);
  conv_norm(b, "layer.0", m.in, m.out, 1);
  conv_norm(b, "layer.1", m.out, m.out, 3, {.groups = of_width.decide() > 0 ? of_width : one});
  if (m.excites) {
    const Expr reduced = quarter(b, m.in);
    conv2d(b, "layer.2.attention.0", m.out, reduced, 1);
    conv2d(b, "layer.2.attention.2", reduced, m.out, 1);
  }
  conv_norm(b, m.excites ? "layer.3" : "layer.2", m.out, m.out, 1);
}

BackboneOutput regnet_backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), stem = c.integer("embedding_size", 32);
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {128, 192, 512, 1088}), depths = c.dimensions("depths", {2, 6, 12, 2});
  const Expr groups_width = c.integer("groups_width", 64, 1);
  const bool y = c.text("layer_type", "y", regnet_layers) == "y", shrinks_first = c.flag("downsample_in_first_stage", true);
  b.part(Part::convolution, [&] {
    conv_norm(b, "embedder.embedder", channels, stem, 3);
    for (const Stage& s : stages(c, "encoder.stages", stem, "hidden_sizes", widths, "depths", depths)) {
      const bool shortcut = s.in.decide() != s.out.decide() || s.index > 0 || shrinks_first;
      b.scope(s.name, [&] {
        b.repeat("layers", only(0), [&] { regnet_layer(b, {s.in, s.out, groups_width, y, shortcut}); });
        b.repeat("layers", between(c.literal(1), s.depth), [&] { regnet_layer(b, {s.out, s.out, groups_width, y, false}); });
      });
    }
  });
  return given(b, stem, widths);
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::image_classification) classifier(c, b, "classifier.1", m.hidden);
}

constexpr unsigned images = heads::base | heads::image;

}  // namespace

extern const Family regnet{
    .model_type = "regnet",
    .summary = "ConvNet with grouped residual bottlenecks and optional squeeze-and-excitation.",
    .classes = {"RegNet", images, "regnet"},
    .backbone = regnet_backbone,
    .head = head,
};
extern const Family resnet{
    .model_type = "resnet",
    .summary = "Residual ConvNet with batch norm.",
    .classes = {"ResNet", images | heads::backbone, "resnet"},
    .backbone = resnet_backbone,
    .head = head,
};

}  // namespace param_ledger
