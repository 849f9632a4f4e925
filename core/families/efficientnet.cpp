// EfficientNet, and ALIGN, which compares EfficientNet's output with BERT's. Each block expands the channels (unless its expand ratio is
// 1), applies a depthwise convolution and squeeze-and-excitation, and projects to the block's output width. Coefficients scale the widths
// and depths. Source: transformers, models/efficientnet, align.

#include <cmath>

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

extern const Family bert;

namespace {

/// The width scaled by width_coefficient, and rounded to a multiple of depth_divisor.
Expr width(Config c, Count base) {
  const Expr divisor = c.integer("depth_divisor", 8);
  const double scaled = static_cast<double>(base) * c.number("width_coefficient", 2.0);
  return rounded_width(c, digits(base), scaled, {divisor.decide(), divisor.decide(), "width_coefficient", "depth_divisor"});
}

struct Block {
  Expr in, out, kernel, expansion, squeezed;
};

void block(Builder& b, const Block& m) {
  const bool expands = m.expansion.decide() != 1;
  const Expr inner = expands ? m.in * m.expansion : m.in;
  if (expands) conv_norm(b, "expansion", m.in, inner, 1, {.convolution = "expand_conv", .norm = "expand_bn"});
  conv_norm(b, "depthwise_conv", inner, inner, m.kernel, {.convolution = "depthwise_conv", .norm = "depthwise_norm", .groups = inner});
  conv2d(b, "squeeze_excite.reduce", inner, m.squeezed, 1);
  conv2d(b, "squeeze_excite.expand", m.squeezed, inner, 1);
  conv_norm(b, "projection", inner, m.out, 1, {.convolution = "project_conv", .norm = "project_bn"});
}

/// Records the network. `whole`: false for ALIGN, because its network lacks the last convolution.
template <bool whole>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), last = c.integer("hidden_dim", 2560);
  const std::vector<Expr> ins = c.dimensions("in_channels", {32, 16, 24, 40, 80, 112, 192});
  const Expr count = c.literal(ins.size());
  const auto list = [&](Text name, std::initializer_list<std::uint64_t> fallback) { return stage_dimensions(c, name, fallback, count); };
  const std::vector<Expr> outs = list("out_channels", {16, 24, 40, 80, 112, 192, 320}),
                          kernels = list("kernel_sizes", {3, 3, 5, 3, 5, 5, 3}), repeats = list("num_block_repeats", {1, 2, 2, 3, 3, 4, 1}),
                          ratios = list("expand_ratios", {1, 6, 6, 6, 6, 6, 6});
  if (ins.empty()) c.refuse(ErrorCode::out_of_range, "in_channels", "must have at least 1 entry.", Refused::list_length);
  const double deeper = c.number("depth_coefficient", 3.1), squeeze = c.number("squeeze_expansion_ratio", 0.25);
  constexpr Count stem = 32, top = 1280;
  b.part(Part::convolution, [&] {
    conv_norm(b, "embeddings", channels, width(c, stem), 3, {.norm = "batchnorm"});
    Count at = 0;
    for (std::size_t i = 0; i < ins.size(); ++i) {
      constexpr double most = 1e4;
      const double depth = std::ceil(deeper * static_cast<double>(repeats[i].decide()));
      if (!(depth >= 0) || !(depth <= most)) c.refuse(ErrorCode::out_of_range, "depth_coefficient", "must leave at most 10,000 layers.");
      const Count end = at + static_cast<std::uint64_t>(depth);
      const Expr in = width(c, ins[i].decide()), out = width(c, outs[i].decide());
      const auto squeezed = [&](Expr from) {
        const std::string number = digits(from.decide());
        const Expr e = multiplied_width(c, "squeeze_expansion_ratio", squeeze, from, concat({"squeezed_widths[", number, "]"}),
                                        concat({"s_", number}));
        return e.decide() == 0 ? c.literal(1) : e;
      };
      if (end > at)
        b.repeat("encoder.blocks", only(static_cast<std::uint64_t>(at)), [&] { block(b, {in, out, kernels[i], ratios[i], squeezed(in)}); });
      b.repeat("encoder.blocks", between(c.literal(at + 1), c.literal(end)), [&] {
        block(b, {out, out, kernels[i], ratios[i], squeezed(out)});
      });
      at = end;
    }
    if (!whole) return;
    conv2d(b, "encoder.top_conv", width(c, outs[ins.size() - 1].decide()), width(c, top), 1, false);
    batch_norm(b, "encoder.top_bn", last);
  });
  return {.hidden = last};
}

BackboneOutput align_backbone(Config c, Builder& b) {
  static constexpr Family vision{.backbone = backbone<false>};
  const Expr shared = c.integer("projection_dim", 640);
  const BackboneOutput words = nested(c.section("text_config"), b, "text_model", bert);
  b.tower(Tower::vision, "vision_model", [&] { nested(c.section("vision_config"), b, "", vision); });
  b.tower(Tower::projector, "", [&] {
    linear(b, "text_projection", words.hidden, shared, true);
    b.parameter("temperature", {});
  });
  return words;
}

}  // namespace

extern const Family align{
    .model_type = "align",
    .summary = "Contrastive image-text model: EfficientNet and BERT.",
    .classes = {"Align", heads::base, ""},
    .backbone = align_backbone,
};
extern const Family efficientnet{
    .model_type = "efficientnet",
    .summary = "ConvNet of inverted bottlenecks with squeeze-and-excitation and compound scaling.",
    .classes = {"EfficientNet", heads::base | heads::image, "efficientnet"},
    .backbone = backbone<true>,
    .head = vision_head,
};

}  // namespace param_ledger
