// MobileNet, in two versions: depthwise and 1 × 1 convolutions, with widths scaled by one multiplier.
// Source: transformers, models/mobilenet_v1, mobilenet_v2.

#include <algorithm>

#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

/// Throws unless depth_multiplier is positive.
void require_factor(Config c) {
  if (!(c.number("depth_multiplier", 1.0) > 0)) c.refuse(ErrorCode::out_of_range, "depth_multiplier", "must be greater than 0.");
}

BackboneOutput v1_backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), least = c.integer("min_depth", 8);
  require_factor(c);
  const auto width = [&](Count base) {
    const std::string number = digits(base);
    const Expr out = c.scaled("depth_multiplier", 1.0, c.literal(base), concat({"widths[", number, "]"}), concat({"w_", number}));
    return out.decide() < least.decide() ? least : out;
  };
  constexpr Count widths[] = {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024};
  Expr in = width(32);
  b.part(Part::convolution, [&] {
    conv_norm(b, "conv_stem", channels, in, 3);
    for (std::size_t i = 0; i < std::size(widths); ++i) {
      const Expr out = width(widths[i]);
      conv_norm(b, concat({"layer.", digits(Count{2} * i)}), in, in, 3, {.groups = in});
      conv_norm(b, concat({"layer.", digits(Count{2} * i + 1)}), in, out, 1);
      in = out;
    }
  });
  return {.hidden = in};
}

/// MobileNet V2's width: `base` × depth_multiplier, rounded to a multiple of depth_divisible_by, but to no less than min_depth.
Expr v2_width(Config c, Count base) {
  const Expr divisor = c.integer("depth_divisible_by", 8), least = c.integer("min_depth", 8);
  return rounded_width(c, digits(base),
                       python_round(static_cast<double>(static_cast<std::uint64_t>(base)) * c.number("depth_multiplier", 1.0)),
                       {divisor.decide(), least.decide(), "depth_multiplier", "depth_divisible_by"});
}

BackboneOutput v2_backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3);
  const double expansion = c.number("expand_ratio", 6.0), factor = c.number("depth_multiplier", 1.0);
  const Expr divisor = c.integer("depth_divisible_by", 8), least = c.integer("min_depth", 8);
  const bool first_expands = c.flag("first_layer_is_expansion", true), fine = c.flag("finegrained_output", true);
  require_factor(c);
  constexpr Count widths[] = {16, 24, 24, 32, 32, 32, 64, 64, 64, 64, 96, 96, 96, 160, 160, 160, 320};
  constexpr Count last = 1280;
  const auto depthwise = [&](Expr width, Expr out) {
    conv_norm(b, "conv_3x3", width, width, 3, {.groups = width});
    conv_norm(b, "reduce_1x1", width, out, 1);
  };
  const Expr stem = v2_width(c, 32), end = fine && factor < 1 ? c.literal(last) : v2_width(c, last);
  b.part(Part::convolution, [&] {
    b.scope("conv_stem", [&] {
      conv_norm(b, "first_conv", channels, stem, 3);
      if (!first_expands) conv_norm(b, "expand_1x1", stem, stem, 1);
      depthwise(stem, v2_width(c, widths[0]));
    });
    for (std::size_t i = 0; i + 1 < std::size(widths); ++i)
      b.scope(concat({"layer.", digits(i)}), [&] {
        const Expr in = v2_width(c, widths[i]);
        const Expr inner = expanded_width(c, in, expansion, {divisor.decide(), least.decide(), "expand_ratio", "depth_divisible_by"});
        conv_norm(b, "expand_1x1", in, inner, 1);
        depthwise(inner, v2_width(c, widths[i + 1]));
      });
    conv_norm(b, "conv_1x1", v2_width(c, widths[16]), end, 1);
  });
  return {.hidden = end};
}

void v2_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::semantic_segmentation) return vision_head(c, b, m);
  constexpr Count seen = 320, width = 256;
  const Expr in = v2_width(c, seen), d = c.literal(width), labels = num_labels(c);
  b.scope(Part::output_head, "segmentation_head", [&] {
    conv_norm(b, "conv_pool", in, d, 1);
    conv_norm(b, "conv_aspp", in, d, 1);
    conv_norm(b, "conv_projection", 2 * d, d, 1);
    conv_norm(b, "classifier", d, labels, 1, {.bias = true, .normed = false});
  });
}

}  // namespace

extern const Family mobilenet_v1{
    .model_type = "mobilenet_v1",
    .summary = "ConvNet with depthwise separable convolutions.",
    .classes = {"MobileNetV1", heads::base | heads::image, "mobilenet_v1"},
    .backbone = v1_backbone,
    .head = vision_head,
};
extern const Family mobilenet_v2{
    .model_type = "mobilenet_v2",
    .summary = "Like MobileNetV1, with inverted residuals and linear bottlenecks.",
    .classes = {"MobileNetV2", heads::base | heads::image | heads::semantic, "mobilenet_v2"},
    .backbone = v2_backbone,
    .head = v2_head,
};

}  // namespace param_ledger
