// HGNet V2: blocks of convolutions that concatenate their input and the outputs of all their layers.
// Source: transformers, models/hgnet_v2.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

/// Records a convolution with its norm and, if `affine`, one scale and one shift for all channels.
void layer(Builder& b, Text name, Expr in, Expr out, Kernel kernel, bool affine, Expr groups = {}) {
  conv_norm(b, name, in, out, kernel, {.groups = groups});
  if (affine)
    b.scope(name, [&] {
      for (const Text one : {"lab.scale", "lab.bias"}) b.parameter(one, {b.pool().literal(1)});
    });
}

struct Block {
  Expr middle, out, n_layers, kernel;
  bool light, affine;
};

void block(Builder& b, const Block& m, Expr in) {
  const Expr half = floor_divide(m.out, b.pool().literal(2));
  const auto inner = [&](Expr from) {
    if (!m.light) return layer(b, "", from, m.middle, m.kernel, m.affine);
    layer(b, "conv1", from, m.middle, 1, false);
    layer(b, "conv2", m.middle, m.middle, m.kernel, m.affine, m.middle);
  };
  if (m.n_layers.decide() > 0) b.repeat("layers", only(0), [&] { inner(in); });
  b.repeat("layers", between(b.pool().literal(1), m.n_layers), [&] { inner(m.middle); });
  layer(b, "aggregation.0", in + m.n_layers * m.middle, half, 1, m.affine);
  layer(b, "aggregation.1", half, m.out, 1, m.affine);
}

/// Records the backbone. `all_shrink`: whether the first stage downsamples by default, like the others.
template <bool all_shrink>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr first = c.integer("embedding_size", 64);
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {256, 512, 1024, 2048}), stem = c.dimensions("stem_channels", {3, 32, 48}),
                          ins = c.dimensions("stage_in_channels", {48, 128, 512, 1024});
  const Expr count = c.literal(ins.size()), two = c.literal(2);
  const auto list = [&](Text name, std::initializer_list<std::uint64_t> fallback) { return stage_dimensions(c, name, fallback, count); };
  const std::vector<Expr> middles = list("stage_mid_channels", {48, 96, 192, 384}),
                          outs = list("stage_out_channels", {128, 512, 1024, 2048}), blocks = list("stage_num_blocks", {1, 1, 3, 1}),
                          kernels = list("stage_kernel_size", {3, 3, 5, 5}), depths = list("stage_numb_of_layers", {6, 6, 6, 6});
  const std::vector<bool> shrinks = switches(c, "stage_downsample", {all_shrink, true, true, true}),
                          light = switches(c, "stage_light_block", {false, false, true, true});
  const bool affine = c.flag("use_learnable_affine_block", false);
  if (stem.size() < 3) c.refuse(ErrorCode::out_of_range, "stem_channels", "must have 3 entries.", Refused::list_length);
  if (widths.empty()) c.refuse(ErrorCode::out_of_range, "hidden_sizes", "must have at least 1 entry.", Refused::list_length);
  for (const auto& [field, list_of] :
       {std::pair<Text, const std::vector<bool>*>{"stage_downsample", &shrinks}, {"stage_light_block", &light}})
    if (list_of->size() < ins.size()) c.refuse(ErrorCode::inconsistent, field, "must have an entry for each stage.", Refused::list_length);
  b.scope(Part::embedding, "embedder", [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    const Expr half = floor_divide(stem[1], two);
    layer(b, "stem1", stem[0], stem[1], 3, affine);
    layer(b, "stem2a", stem[1], half, 2, affine);
    layer(b, "stem2b", half, stem[1], 2, affine);
    layer(b, "stem3", 2 * stem[1], stem[1], 3, affine);
    layer(b, "stem4", stem[1], stem[2], 1, affine);
  });
  for (std::size_t i = 0; i < ins.size(); ++i)
    b.scope(Part::convolution, concat({"encoder.stages.", digits(i)}), [&] {
      if (shrinks[i]) layer(b, "downsample", ins[i], ins[i], 3, false, ins[i]);
      const Block m{middles[i], outs[i], depths[i], kernels[i], light[i], affine};
      if (blocks[i].decide() > 0) b.repeat("blocks", only(0), [&] { block(b, m, ins[i]); });
      b.repeat("blocks", between(c.literal(1), blocks[i]), [&] { block(b, m, outs[i]); });
    });
  std::vector<Expr> given{first};
  given.insert(given.end(), widths.begin(), widths.end());
  return {.hidden = widths.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::image_classification) classifier(c, b, "fc", m.hidden);
}

}  // namespace

extern const Family hgnet_v2{
    .model_type = "hgnet_v2",
    .summary = "ConvNet that concatenates the outputs of all layers in a block.",
    .classes = {"HGNetV2", heads::image | heads::backbone, ""},
    .backbone = backbone<false>,
    .head = head,
};
extern const Family hgnet_v2_of_readers{.model_type = "hgnet_v2", .backbone = backbone<true>};

}  // namespace param_ledger
