// TextNet: stages of convolutions for text detection. In parallel to its main convolution, a layer has a vertical one if the main kernel is
// not 1 wide, and a horizontal one if the main kernel is not 1 high. Source: transformers, models/textnet.

#include <algorithm>

#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

/// The size of a layer's kernel, and whether its stride is 1.
struct Layer {
  Count height, width;
  bool keeps;
};
using Stages = std::vector<std::vector<Layer>>;

Stages usual() {
  return {{{3, 3, true}, {3, 3, false}, {3, 3, true}},
          {{3, 3, false}, {1, 3, true}, {3, 3, true}, {3, 1, true}},
          {{3, 3, false}, {3, 3, true}, {3, 1, true}, {1, 3, true}},
          {{3, 3, false}, {3, 1, true}, {1, 3, true}, {3, 3, true}}};
}

/// Reads a list entry that must be a whole number.
Count number(Config c, Text field, Json entry) {
  if (!entry.is(Json::Type::integer) || entry.negative()) c.refuse(ErrorCode::wrong_type, field, "must contain whole numbers.");
  return entry.magnitude();
}

/// Reads the layers of each stage. conv_layer_kernel_sizes has a list of [height, width] pairs for each stage, conv_layer_strides a list of
/// strides. If a stage's two lists differ in length, the longer one is cut.
Stages stages_of(Config c) {
  Stages out = usual();
  const Json kernels = c.peek("conv_layer_kernel_sizes"), strides = c.peek("conv_layer_strides");
  c.consume("conv_layer_kernel_sizes");
  c.consume("conv_layer_strides");
  const bool own_kernels = kernels && !kernels.is_null(), own_strides = strides && !strides.is_null();
  Stages from = out;
  if (own_kernels) {
    out.clear();
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      out.emplace_back();
      for (std::size_t j = 0; j < kernels[i].size(); ++j) {
        const Json kernel = kernels[i][j];
        if (kernel.size() != 2)
          c.refuse(ErrorCode::out_of_range, "conv_layer_kernel_sizes", "must contain the height and the width of each kernel.");
        out.back().push_back({number(c, "conv_layer_kernel_sizes", kernel[0]), number(c, "conv_layer_kernel_sizes", kernel[1]), true});
      }
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t given = own_strides ? (i < strides.size() ? strides[i].size() : 0) : i < from.size() ? from[i].size() : 0;
    if ((own_strides && i >= strides.size()) || (!own_strides && i >= from.size()))
      c.refuse(ErrorCode::inconsistent, "conv_layer_strides", "must have an entry for each stage.", Refused::list_length);
    out[i].resize(std::min(out[i].size(), given));
    for (std::size_t j = 0; j < out[i].size(); ++j)
      out[i][j].keeps = own_strides ? number(c, "conv_layer_strides", strides[i][j]) == 1 : from[i][j].keeps;
  }
  return out;
}

void layer(Builder& b, Expr in, Expr out, const Layer& m) {
  const Expr height = b.pool().literal(m.height), width = b.pool().literal(m.width);
  const auto way = [&](Text name, Kernel kernel) {
    conv_norm(b, "", in, out, kernel, {.convolution = concat({name, "_conv"}), .norm = concat({name, "_batch_norm"})});
  };
  way("main", Sides{height, width});
  if (m.width != 1) way("vertical", {Size(height), Size(1)});
  if (m.height != 1) way("horizontal", {Size(1), Size(width)});
  if (m.keeps && in.decide() == out.decide()) batch_norm(b, "rbr_identity", in);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("stem_num_channels", 3), stem = c.integer("stem_out_channels", 64),
             kernel = c.integer("stem_kernel_size", 3);
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {64, 64, 128, 256, 512});
  const Stages all_stages = stages_of(c);
  if (widths.size() <= all_stages.size())
    c.refuse(ErrorCode::inconsistent, "hidden_sizes", "must have one more entry than there are stages.", Refused::list_length);
  b.scope(Part::convolution, b.architecture().head == Head::backbone ? "textnet" : "", [&] {
    conv_norm(b, "stem", channels, stem, kernel, {.convolution = "conv", .norm = "batch_norm"});
    for (std::size_t i = 0; i < all_stages.size(); ++i)
      for (std::size_t j = 0; j < all_stages[i].size(); ++j)
        b.scope(concat({"encoder.stages.", digits(i), ".stage.", digits(j)}),
                [&] { layer(b, j == 0 ? widths[i] : widths[i + 1], widths[i + 1], all_stages[i][j]); });
  });
  return {.hidden = widths.back(), .stages = b.pool().keep(std::span<const Expr>(widths))};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::image_classification) classifier(c, b, "fc", m.hidden);
}

}  // namespace

extern const Family textnet{
    .model_type = "textnet",
    .summary = "Scene text detection: a ConvNet with kernel shapes found by architecture search.",
    .classes = {"TextNet", heads::base | heads::image | heads::backbone, "textnet"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
