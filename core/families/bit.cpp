// BiT: ResNet with group norm and standardized weights. layer_type determines whether norms precede or follow the convolutions. Source:
// transformers, models/bit.

#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view layer_types[] = {"preactivation", "bottleneck"};

/// Rounds e ÷ `divisor` to the nearest multiple of 8, but to no less than 8 and no less than 90 % of e ÷ `divisor`.
Expr eights(Expr e, Count divisor) {
  Pool& pool = *e.node()->pool;
  const Expr steps = floor_divide(e + static_cast<std::uint64_t>(4 * divisor), pool.literal(8 * divisor));
  const Expr rounded = steps.decide() == 0 ? pool.literal(8) : 8 * steps;
  return 10 * divisor * rounded.decide() < 9 * e.decide() ? rounded + 8 : rounded;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), stem = c.integer("embedding_size", 64);
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {256, 512, 1024, 2048}), depths = c.dimensions("depths", {3, 4, 6, 3});
  const bool before = c.text("layer_type", "preactivation", layer_types) == "preactivation";
  const Expr groups = c.integer("num_groups", 32, 1), factor = c.integer("width_factor", 1);
  const auto norm = [&](Text name, Expr width) {
    require_multiple(width, groups);
    group_norm(b, name, width);
  };
  const auto layer = [&](Expr in, Expr out, bool first) {
    const Expr inner = eights(out, 4);
    if (first) {
      conv2d(b, "downsample.conv", in, out, 1, false);
      if (!before) norm("downsample.norm", out);
    }
    conv2d(b, "conv1", in, inner, 1, false);
    conv2d(b, "conv2", inner, inner, 3, false);
    conv2d(b, "conv3", inner, out, 1, false);
    norm("norm1", before ? in : inner);
    norm("norm2", inner);
    norm("norm3", before ? inner : out);
  };
  b.scope(Part::convolution, b.architecture().head == Head::backbone ? "bit" : "", [&] {
    conv2d(b, "embedder.convolution", channels, stem, 7, false);
    if (!before) norm("embedder.norm", stem);
    Expr in = stem;
    for (const Stage& s : stages(c, "encoder.stages", stem, "hidden_sizes", widths, "depths", depths)) {
      const Expr out = eights(factor.is_literal(1) ? s.out : s.out * factor, 1);
      b.scope(s.name, [&] {
        if (s.depth.decide() > 0) b.repeat("layers", only(0), [&] { layer(in, out, true); });
        b.repeat("layers", between(c.literal(1), s.depth), [&] { layer(out, out, false); });
      });
      in = out;
    }
    if (before) norm("norm", widths.back());
  });
  std::vector<Expr> given{stem};
  given.insert(given.end(), widths.begin(), widths.end());
  return {.hidden = widths.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::image_classification) classifier(c, b, "classifier.1", m.hidden);
}

}  // namespace

extern const Family bit{
    .model_type = "bit",
    .summary = "Like ResNet, with group norm and weight standardization.",
    .classes = {"Bit", heads::base | heads::image | heads::backbone, "bit"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
