// SegFormer and GLPN: stages of layers whose feed-forward blocks contain a depthwise convolution. Where a stage's reduction ratio is above
// 1, a convolution reduces the number of keys and values. Source: transformers, models/segformer, glpn.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "num_encoder_blocks"}};

struct Layer {
  Expr d, heads, reduction, inner;
  bool even_share;
};

void layer(Builder& b, const Layer& m) {
  layer_norm(b, "layer_norm_1", m.d);
  attention(b, "attention",
            {.hidden = m.d,
             .heads = m.heads,
             .head_dim = m.even_share ? Expr{} : floor_divide(m.d, m.heads),
             .qkv_bias = true,
             .output_bias = true,
             .q = "self.query",
             .k = "self.key",
             .v = "self.value",
             .o = "output.dense"});
  if (m.reduction.decide() > 1)
    b.scope(Part::attention, "attention.self", [&] {
      conv2d(b, "sr", m.d, m.d, m.reduction);
      layer_norm(b, "layer_norm", m.d);
    });
  layer_norm(b, "layer_norm_2", m.d);
  mlp(b, "mlp", m.d, m.inner, true, "dense1", "dense2");
  b.part(Part::feed_forward, [&] { depthwise_conv2d(b, "mlp.dwconv.dwconv", m.inner, 3); });
}

template <bool even_share>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), count = c.integer("num_encoder_blocks", 4);
  const auto list = [&](Text name, std::initializer_list<std::uint64_t> fallback) { return stage_dimensions(c, name, fallback, count); };
  const std::vector<Expr> widths = list("hidden_sizes", {32, 64, 160, 256}), depths = list("depths", {2, 2, 2, 2}),
                          heads = list("num_attention_heads", {1, 2, 5, 8}), patches = list("patch_sizes", {7, 3, 3, 3}),
                          reductions = list("sr_ratios", {8, 4, 2, 1}), ratios = list("mlp_ratios", {4, 4, 4, 4});
  const std::vector<Stage> all_stages = stages(c, "encoder.block", channels, "hidden_sizes", widths, "depths", depths, count);
  for (const Stage& s : all_stages) {
    const std::size_t i = s.index;
    b.scope(Part::embedding, concat({"encoder.patch_embeddings.", digits(i)}), [&] {
      patch_embedding(b, "proj", s.in, s.out, patches[i]);
      layer_norm(b, "layer_norm", s.out);
    });
    b.repeat(s.name, all(s.depth), [&] {
      require_positive(heads[i]);
      layer(b, {s.out, heads[i], reductions[i], ratios[i] * s.out, even_share});
    });
    layer_norm(b, concat({"encoder.layer_norm.", digits(i)}), s.out);
  }
  return {.hidden = widths.back(), .stages = b.pool().keep(std::span<const Expr>(widths))};
}

void segformer_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::semantic_segmentation) return vision_head(c, b, m);
  const Expr d = c.integer("decoder_hidden_size", 256), labels = num_labels(c), count = c.integer("num_encoder_blocks", 4);
  b.scope(Part::output_head, "decode_head", [&] {
    for (std::size_t i = 0; i < count.decide(); ++i) linear(b, concat({"linear_c.", digits(i), ".proj"}), m.stages[i], d, true);
    conv2d(b, "linear_fuse", count * d, d, 1, false);
    batch_norm(b, "batch_norm", d);
    conv2d(b, "classifier", d, labels, 1);
  });
}

/// Records GLPN's head, which predicts depth. It fuses the outputs of the stages, from the last to the first, with weights that
/// convolutions compute.
void glpn_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::depth_estimation) return;
  const Expr d = c.integer("decoder_hidden_size", 64), half = floor_divide(d, c.literal(2));
  b.part(Part::output_head, [&] {
    for (std::size_t i = 0; i < m.stages.size(); ++i) {
      const Expr in = m.stages[m.stages.size() - 1 - i];
      b.scope(concat({"decoder.stages.", digits(i)}), [&] {
        if (in.decide() != d.decide()) conv2d(b, "convolution", in, d, 1);
        if (i == 0) return;
        conv_norm(b, "fusion.convolutional_layer1", 2 * d, d, 3, {.convolution = "0", .norm = "1", .bias = true});
        conv_norm(b, "fusion.convolutional_layer2", d, half, 3, {.convolution = "0", .norm = "1", .bias = true});
        conv2d(b, "fusion.convolutional_layer3", half, c.literal(2), 3);
      });
    }
    conv2d(b, "head.head.0", d, d, 3);
    conv2d(b, "head.head.2", d, c.literal(1), 3);
  });
}

}  // namespace

extern const Family glpn{
    .model_type = "glpn",
    .summary = "Monocular depth estimation: SegFormer's encoder with a fusion decoder.",
    .classes = {"GLPN", heads::base | heads::depth, "glpn"},
    .backbone = backbone<true>,
    .head = glpn_head,
};
extern const Family segformer{
    .model_type = "segformer",
    .summary = "Semantic segmentation: a hierarchical transformer with efficient attention and an MLP decoder.",
    .classes = {"Segformer", heads::base | heads::image | heads::semantic, "segformer"},
    .aliases = aliases,
    .backbone = backbone<false>,
    .head = segformer_head,
};

}  // namespace param_ledger
