// MobileViT, in two versions: MobileNet's layers, with transformer layers between convolutions in later stages. Source: transformers,
// models/mobilevit, mobilevitv2.

#include <algorithm>

#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vit.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

constexpr Count eight = 8;

/// Records MobileNet's inverted residual block.
void inverted(Config c, Builder& b, Expr in, Expr out, double expansion) {
  const Expr inner = expanded_width(c, in, expansion, {eight, eight, "expand_ratio"});
  conv_norm(b, "expand_1x1", in, inner, 1);
  conv_norm(b, "conv_3x3", inner, inner, 3, {.groups = inner});
  conv_norm(b, "reduce_1x1", inner, out, 1);
}

/// Records the first two stages, which have no transformer layers.
void mobile_stages(Config c, Builder& b, const std::vector<Expr>& widths, double expansion, Count second_depth) {
  b.scope(Part::convolution, "encoder.layer", [&] {
    b.scope("0.layer.0", [&] { inverted(c, b, widths[0], widths[1], expansion); });
    b.scope("1.layer.0", [&] { inverted(c, b, widths[1], widths[2], expansion); });
    b.repeat("1.layer", between(c.literal(1), c.literal(second_depth)), [&] { inverted(c, b, widths[2], widths[2], expansion); });
  });
}

BackboneOutput v1_backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), heads = c.integer("num_attention_heads", 4),
             kernel = c.integer("conv_kernel_size", 3);
  const std::vector<Expr> hidden = c.dimensions("hidden_sizes", {144, 192, 240}),
                          widths = c.dimensions("neck_hidden_sizes", {16, 32, 64, 96, 128, 160, 640});
  const double expansion = c.number("expand_ratio", 4.0);
  const bool qkv_bias = c.flag("qkv_bias", true), semantic = b.architecture().head == Head::semantic_segmentation;
  if (hidden.size() < 3) c.refuse(ErrorCode::out_of_range, "hidden_sizes", "must have 3 entries.", Refused::list_length);
  if (widths.size() < 7) c.refuse(ErrorCode::out_of_range, "neck_hidden_sizes", "must have 7 entries.", Refused::list_length);
  b.part(Part::convolution, [&] { conv_norm(b, "conv_stem", channels, widths[0], 3); });
  mobile_stages(c, b, widths, expansion, 3);
  constexpr Count depths[] = {2, 4, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    const Expr in = widths[i + 2], out = widths[i + 3], d = hidden[i];
    VisionLayers m = vit_layers;
    m.layers = "transformer.layer";
    m.attention.hidden = d;
    m.attention.heads = heads;
    m.attention.even_share = true;
    m.attention.scaled_by_head_dim = false;
    m.attention.qkv_bias = qkv_bias;
    m.inner = stage_inner_width(c, i, d, 2.0);
    m.n_layers = c.literal(depths[i]);
    b.scope(Part::convolution, concat({"encoder.layer.", digits(i + 2)}), [&] {
      b.scope("downsampling_layer", [&] { inverted(c, b, in, out, expansion); });
      conv_norm(b, "conv_kxk", out, out, kernel);
      conv2d(b, "conv_1x1.convolution", out, d, 1, false);
      require_positive(heads);
      vision_layers(b, m);
      layer_norm(b, "layernorm", d);
      conv_norm(b, "conv_projection", d, out, 1);
      conv_norm(b, "fusion", 2 * out, out, kernel);
    });
  }
  if (!semantic) b.part(Part::convolution, [&] { conv_norm(b, "conv_1x1_exp", widths[5], widths[6], 1); });
  return {.hidden = semantic ? widths[widths.size() - 2] : widths.back()};
}

/// A width of MobileViT V2: `base` × width_multiplier, rounded to a multiple of `divisor`.
Expr v2_width(Config c, const std::string& label, Count base, Count divisor = eight) {
  return rounded_width(c, label, static_cast<double>(base) * c.number("width_multiplier", 1.0), {divisor, divisor, "width_multiplier"});
}

BackboneOutput v2_backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), kernel = c.integer("conv_kernel_size", 3), factor = c.integer("ffn_multiplier", 2);
  const std::vector<Expr> depths = c.dimensions("n_attn_blocks", {2, 4, 3}), units = c.dimensions("base_attn_unit_dims", {128, 192, 256});
  const double expansion = c.number("expand_ratio", 2.0), multiplier = c.number("width_multiplier", 1.0);
  if (depths.size() < 3) c.refuse(ErrorCode::out_of_range, "n_attn_blocks", "must have 3 entries.", Refused::list_length);
  if (units.size() < 3) c.refuse(ErrorCode::out_of_range, "base_attn_unit_dims", "must have 3 entries.", Refused::list_length);
  constexpr double stem = 32, least = 16, most = 64;
  std::vector<Expr> widths{rounded_width(c, "0", std::max(least, std::min(most, stem * multiplier)),
                                         {eight, static_cast<std::uint64_t>(least), "width_multiplier"}),
                           v2_width(c, "1", 64, 16)};
  for (const int base : {128, 256, 384, 512}) widths.push_back(v2_width(c, digits(widths.size()), static_cast<unsigned>(base)));
  b.part(Part::convolution, [&] { conv_norm(b, "conv_stem", channels, widths[0], 3); });
  mobile_stages(c, b, widths, expansion, 2);
  const Expr sixteen = c.literal(16);
  for (std::size_t i = 0; i < 3; ++i) {
    const Expr in = widths[i + 2], out = widths[i + 3], d = v2_width(c, concat({"a", digits(i)}), units[i].decide());
    const Expr inner = 16 * floor_divide(factor * d, sixteen);
    b.scope(Part::convolution, concat({"encoder.layer.", digits(i + 2)}), [&] {
      b.scope("downsampling_layer", [&] { inverted(c, b, in, out, expansion); });
      conv_norm(b, "conv_kxk", out, out, kernel, {.groups = out});
      conv2d(b, "conv_1x1.convolution", out, d, 1, false);
      b.repeat("transformer.layer", all(depths[i]), [&] {
        group_norm(b, "layernorm_before", d);
        b.scope(Part::attention, "attention", [&] {
          conv2d(b, "qkv_proj.convolution", d, 2 * d + 1, 1);
          conv2d(b, "out_proj.convolution", d, d, 1);
        });
        group_norm(b, "layernorm_after", d);
        b.scope(Part::feed_forward, "ffn", [&] {
          conv2d(b, "conv1.convolution", d, inner, 1);
          conv2d(b, "conv2.convolution", inner, d, 1);
        });
      });
      group_norm(b, "layernorm", d);
      conv_norm(b, "conv_projection", d, out, 1);
    });
  }
  return {.hidden = widths.back()};
}

/// Records the head. For segmentation it is DeepLab's (ASPP): parallel convolutions with several dilations.
template <std::uint64_t width>
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::semantic_segmentation) return vision_head(c, b, m);
  const Expr d = c.integer("aspp_out_channels", width), labels = num_labels(c);
  if (c.dimensions("atrous_rates", {6, 12, 18}).size() != 3)
    c.refuse(ErrorCode::out_of_range, "atrous_rates", "must have 3 entries.", Refused::list_length);
  b.scope(Part::output_head, "segmentation_head", [&] {
    conv_norm(b, "aspp.convs.0", m.hidden, d, 1);
    b.repeat("aspp.convs", between(c.literal(1), c.literal(4)), [&] { conv_norm(b, "", m.hidden, d, 3); });
    conv_norm(b, "aspp.convs.4.conv_1x1", m.hidden, d, 1);
    conv_norm(b, "aspp.project", 5 * d, d, 1);
    conv2d(b, "classifier.convolution", d, labels, 1);
  });
}

constexpr unsigned images = heads::base | heads::image | heads::semantic;

}  // namespace

extern const Family mobilevit{
    .model_type = "mobilevit",
    .summary = "Mobile hybrid of inverted residuals and transformer layers.",
    .classes = {"MobileViT", images, "mobilevit"},
    .backbone = v1_backbone,
    .head = head<256>,
};
extern const Family mobilevitv2{
    .model_type = "mobilevitv2",
    .summary = "Like MobileViT, with separable self-attention, which has linear cost.",
    .classes = {"MobileViTV2", images, "mobilevitv2"},
    .backbone = v2_backbone,
    .head = head<512>,
};

}  // namespace param_ledger
