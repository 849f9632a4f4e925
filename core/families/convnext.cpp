// ConvNeXt: each layer is a depthwise convolution with a large kernel and two matrices, as in a transformer's feed-forward block. The
// second version has global response normalization between the matrices, and no LayerScale.
// Source: transformers, models/convnext, convnextv2.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "num_stages"}};

void layer(Builder& b, Expr d, bool scaled, bool second) {
  depthwise_conv2d(b, "dwconv", d, 7);
  layer_norm(b, "layernorm", d);
  linear(b, "pwconv1", d, 4 * d, true);
  if (second)
    b.scope(Part::norm, "grn", [&] {
      const InBlock block(b, {Mechanism::response_norm});
      const Expr one = b.pool().literal(1);
      for (const Text name : {"weight", "bias"}) b.parameter(name, {one, one, one, 4 * d});
    });
  linear(b, "pwconv2", 4 * d, d, true);
  if (scaled) layer_scale(b, "layer_scale_parameter", d);
}

template <bool second>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3);
  const Sides patch = c.sides("patch_size", 4);
  const Expr n_stages = c.integer("num_stages", 4);
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {96, 192, 384, 768}), depths = c.dimensions("depths", {3, 3, 9, 3});
  const bool scaled = !second && c.number("layer_scale_init_value", 1e-6) > 0;
  const std::vector<Stage> all_stages =
      stages(c, "encoder.stages", widths.empty() ? c.literal(0) : widths[0], "hidden_sizes", widths, "depths", depths, n_stages);
  b.scope(Part::embedding, "embeddings", [&] {
    patch_embedding(b, "patch_embeddings", channels, widths[0], patch);
    layer_norm(b, "layernorm", widths[0]);
  });
  for (const Stage& s : all_stages)
    b.scope(Part::convolution, s.name, [&] {
      if (s.index > 0) {
        layer_norm(b, "downsampling_layer.0", s.in);
        conv2d(b, "downsampling_layer.1", s.in, s.out, 2);
      }
      b.repeat("layers", all(s.depth), [&] { layer(b, s.out, scaled, second); });
    });
  std::vector<Expr> given{widths[0]};
  given.insert(given.end(), widths.begin(), widths.end());
  if (b.architecture().head == Head::backbone)
    for (const std::size_t i : tapped_stages(c, depths.size()))
      layer_norm(b, concat({"hidden_states_norms.", i == 0 ? "stem" : concat({"stage", digits(i)})}), given.at(i));
  else
    layer_norm(b, "layernorm", widths.back());
  return {.hidden = widths.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

constexpr unsigned classes = heads::base | heads::image | heads::backbone;

}  // namespace

extern const Family convnext{
    .model_type = "convnext",
    .summary = "ConvNet with depthwise convolutions and inverted bottlenecks.",
    .classes = {"ConvNext", classes, "convnext"},
    .aliases = aliases,
    .backbone = backbone<false>,
    .head = vision_head,
};
extern const Family convnextv2{
    .model_type = "convnextv2",
    .summary = "Like ConvNeXt, with global response normalization.",
    .classes = {"ConvNextV2", classes, "convnextv2"},
    .aliases = aliases,
    .backbone = backbone<true>,
    .head = vision_head,
};

}  // namespace param_ledger
