// PoolFormer: stages of layers with average pooling instead of attention.
// Source: transformers, models/poolformer.

#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), count = c.integer("num_encoder_blocks", 4);
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {64, 128, 320, 512}), depths = c.dimensions("depths", {2, 2, 6, 2}),
                          patches = stage_dimensions(c, "patch_sizes", {7, 3, 3, 3}, count);
  const bool scaled = c.flag("use_layer_scale", true);
  for (const Stage& s : stages(c, "encoder.block", channels, "hidden_sizes", widths, "depths", depths, count)) {
    const std::string number = digits(s.index);
    const Expr d = s.out, inner = stage_inner_width(c, s.index, d, 4.0);
    b.part(Part::embedding, [&] {
      patch_embedding(b, concat({"encoder.patch_embeddings.", number, ".projection"}), s.in, d, patches[s.index]);
    });
    b.repeat(s.name, all(s.depth), [&] {
      group_norm(b, "before_norm", d);
      group_norm(b, "after_norm", d);
      b.part(Part::feed_forward, [&] {
        conv2d(b, "output.conv1", d, inner, 1);
        conv2d(b, "output.conv2", inner, d, 1);
        if (!scaled) return;
        for (const Text name : {"layer_scale_1", "layer_scale_2"}) layer_scale(b, name, d);
      });
    });
  }
  return {.hidden = widths.back()};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::image_classification) return;
  group_norm(b, "norm", m.hidden);
  classifier(c, b, "classifier", m.hidden);
}

}  // namespace

extern const Family poolformer{
    .model_type = "poolformer",
    .summary = "Hierarchical vision model with average pooling instead of attention (MetaFormer).",
    .classes = {"PoolFormer", heads::base | heads::image, "poolformer"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
