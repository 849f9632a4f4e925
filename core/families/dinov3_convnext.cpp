// DINOv3's ConvNeXt: like ConvNeXt, with different tensor names.
// Source: transformers, models/dinov3_convnext.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3);
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {96, 192, 384, 768}), depths = c.dimensions("depths", {3, 3, 9, 3});
  for (const Stage& s : stages(c, "stages", channels, "hidden_sizes", widths, "depths", depths, c.literal(widths.size())))
    b.scope(Part::convolution, s.name, [&] {
      const bool first = s.index == 0;
      conv2d(b, first ? "downsample_layers.0" : "downsample_layers.1", s.in, s.out, first ? 4 : 2);
      layer_norm(b, first ? "downsample_layers.1" : "downsample_layers.0", first ? s.out : s.in);
      b.repeat("layers", all(s.depth), [&] {
        depthwise_conv2d(b, "depthwise_conv", s.out, 7);
        layer_norm(b, "layer_norm", s.out);
        linear(b, "pointwise_conv1", s.out, 4 * s.out, true);
        linear(b, "pointwise_conv2", 4 * s.out, s.out, true);
        layer_scale(b, "gamma", s.out);
      });
    });
  if (b.architecture().head != Head::backbone) layer_norm(b, "layer_norm", widths.back());
  std::vector<Expr> given{channels};
  given.insert(given.end(), widths.begin(), widths.end());
  return {.hidden = widths.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

}  // namespace

extern const Family dinov3_convnext{
    .model_type = "dinov3_convnext",
    .summary = "ConvNeXt distilled from DINOv3.",
    .classes = {"DINOv3ConvNext", heads::base | heads::backbone, ""},
    .backbone = backbone,
};

}  // namespace param_ledger
