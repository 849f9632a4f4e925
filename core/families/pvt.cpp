// PVT, in two versions: stages of layers. A convolution reduces the number of keys and values in stages with a reduction ratio above 1, or,
// with the second version's linear_attention, pooling does in all stages. The second version has convolutions in feed-forward blocks and no
// position embeddings. Source: transformers, models/pvt, pvt_v2.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

struct Layer {
  Expr d, heads, reduction, inner;
  bool qkv_bias, second, linear;
};

void layer(Builder& b, const Layer& m) {
  const bool second = m.second;
  require_positive(m.heads);
  layer_norm(b, "layer_norm_1", m.d);
  attention(b, "attention",
            {.hidden = m.d,
             .heads = m.heads,
             .qkv_bias = m.qkv_bias,
             .output_bias = true,
             .scaled_by_head_dim = false,
             .q = second ? "query" : "self.query",
             .k = second ? "key" : "self.key",
             .v = second ? "value" : "self.value",
             .o = second ? "proj" : "output.dense"});
  if (m.linear || m.reduction.decide() > 1)
    b.scope(Part::attention, second ? "attention" : "attention.self", [&] {
      conv2d(b, second ? "spatial_reduction" : "sequence_reduction", m.d, m.d, m.linear ? Kernel(1) : Kernel(m.reduction));
      layer_norm(b, "layer_norm", m.d);
    });
  layer_norm(b, "layer_norm_2", m.d);
  mlp(b, "mlp", m.d, m.inner, true, "dense1", "dense2");
  if (second) b.part(Part::feed_forward, [&] { depthwise_conv2d(b, "mlp.dwconv.dwconv", m.inner, 3); });
}

template <bool second>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), count = c.integer("num_encoder_blocks", 4);
  const Expr image = second ? Expr{} : c.integer("image_size", 224);
  const auto list = [&](Text name, std::initializer_list<std::uint64_t> fallback) { return stage_dimensions(c, name, fallback, count); };
  const std::vector<Expr> widths =
      second ? c.dimensions("hidden_sizes", {32, 64, 160, 256}) : c.dimensions("hidden_sizes", {64, 128, 320, 512});
  const std::vector<Expr> depths = list("depths", {2, 2, 2, 2}), heads = list("num_attention_heads", {1, 2, 5, 8}),
                          patches = second ? list("patch_sizes", {7, 3, 3, 3}) : list("patch_sizes", {4, 2, 2, 2}),
                          reductions = list(second ? "sr_ratios" : "sequence_reduction_ratios", {8, 4, 2, 1}),
                          ratios = list("mlp_ratios", {8, 8, 4, 4}), kernels = second ? std::vector<Expr>{} : list("strides", {4, 2, 2, 2});
  const bool qkv_bias = c.flag("qkv_bias", true), linear = second && c.flag("linear_attention", false);
  for (const Stage& s : stages(c, second ? "encoder.layers" : "encoder.block", channels, "hidden_sizes", widths, "depths", depths, count)) {
    const std::size_t i = s.index;
    const std::string number = digits(i);
    b.scope(Part::embedding, concat({second ? s.name : concat({"encoder.patch_embeddings.", number}), second ? ".patch_embedding" : ""}),
            [&] {
              // In the first version, the field `strides` gives the kernel sizes and patch_sizes gives the strides.
              patch_embedding(b, second ? "proj" : "projection", s.in, s.out, second ? patches[i] : kernels[i]);
              layer_norm(b, "layer_norm", s.out);
              if (second) return;
              require_positive(patches[i]);
              const bool last = i + 1 == count.decide();
              const Expr side = i == 0 ? image : floor_divide(image, c.literal(Count{2} << i));
              const Expr places = power(floor_divide(side, patches[i]), 2);
              if (last) tokens(b, "cls_token", 1, s.out);
              tokens(b, "position_embeddings", last ? places + 1 : places, s.out, TensorRole::position_embedding);
            });
    b.repeat(second ? concat({s.name, ".blocks"}) : s.name, all(s.depth), [&] {
      layer(b, {s.out, heads[i], reductions[i], ratios[i] * s.out, qkv_bias, second, linear});
    });
    if (second) layer_norm(b, concat({s.name, ".layer_norm"}), s.out);
  }
  if (!second) layer_norm(b, "encoder.layer_norm", widths.back());
  return {.hidden = widths.back()};
}

/// Records the classifier. It has 1,000 labels by default.
void pvt_head(Config c, Builder& b, const BackboneOutput& m) {
  constexpr std::uint64_t image_net = 1000;
  if (b.architecture().head != Head::image_classification) return;
  c.ignore("id2label", "PVT sets num_labels itself.");
  const Expr labels = c.integer("num_labels", image_net);  // id2label is ignored here
  if (labels.decide() > 0) b.part(Part::output_head, [&] { linear(b, "classifier", m.hidden, labels, true); });
}

}  // namespace

extern const Family pvt{
    .model_type = "pvt",
    .summary = "Pyramid vision transformer with spatial-reduction attention.",
    .classes = {"Pvt", heads::base | heads::image, "pvt"},
    .backbone = backbone<false>,
    .head = pvt_head,
};
extern const Family pvt_v2{
    .model_type = "pvt_v2",
    .summary = "Like PVT, with overlapping patches and convolutional MLPs.",
    .classes = {"PvtV2", heads::base | heads::image | heads::backbone, "pvt_v2"},
    .backbone = backbone<true>,
    .head = vision_head,
};

}  // namespace param_ledger
