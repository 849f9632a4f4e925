// BEiT and data2vec for images: as ViT, without biases on keys, with scales of what blocks add and tables of relative positions.
// Source: transformers, models/beit, data2vec.

#include "core/blocks/convolution.hpp"
#include "core/blocks/vit.hpp"
#include "core/heads.hpp"

namespace param_ledger {

namespace {

constexpr VisionLayers layers = [] {
  VisionLayers m = vit_layers;
  m.attention.key_bias = false;
  m.scale1 = "lambda_1", m.scale2 = "lambda_2";
  return m;
}();

void switches(Config c, Vit& m) {
  if (c.flag("use_mask_token", false)) m.mask = MaskToken::one;
  m.positions = c.flag("use_absolute_position_embeddings", false);
  if (c.number("layer_scale_init_value", 0.1) <= 0) m.layers.scale1 = m.layers.scale2 = "";
  if (c.flag("use_mean_pooling", true)) m.last_norm = "";
}

constexpr VisionDefaults base{768, 3072, 12, 12, 224, 16};
constexpr VitType beit_type{base, {.layers = layers}, switches};
constexpr VisionLayers data2vec_layers = [] {
  VisionLayers m = layers;
  m.attention.scaled_by_head_dim = false;
  return m;
}();
constexpr VitType data2vec_type{.sizes = base, .layout = {.layers = data2vec_layers}, .switches = switches, .own_head_dim = false};

template <const VitType& type, bool pooled_alone>
Backbone backbone(Config c, Builder& b) {
  const bool shared = c.flag("use_shared_relative_position_bias", false), relative = c.flag("use_relative_position_bias", false);
  const Vit m = vit_fields(c, type);
  const Backbone out = vit_model(c, b, m);
  const auto biases = [&](Text name) {
    b.scope(Part::attention, name, [&] {
      // From each patch to each, from the class token to patches, back, and to itself.
      const Expr pairs = relative_positions(grid(m.image, m.patch)) + 3;
      b.parameter("relative_position_bias.relative_position_bias_table", {pairs, m.layers.attention.heads}, Role::table);
    });
  };
  if (shared) biases("encoder");
  if (relative) b.repeat("encoder.layer", all(m.layers.n_layers), [&] { biases("attention.attention"); });
  const bool pooled = b.architecture().head == Head::image_classification || (pooled_alone && b.architecture().head == Head::none);
  if (pooled && m.last_norm.empty()) layer_norm(b, "pooler.layernorm", out.hidden);
  return out;
}

void beit_head(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head != Head::masked_image) return vision_head(c, b, m);
  layer_norm(b, "layernorm", m.hidden);
  const Expr vocab = c.integer("vocab_size", 8192);
  b.part(Part::output_head, [&] { linear(b, "lm_head", m.hidden, vocab, true, Does::head); });
}

/// What the two types call the head's modules.
struct SegmentNames {
  ConvNorm convolution = {};
  Text pooling = "psp_modules.blocks", pooled = "conv", joined = "psp_bottleneck";
};
constexpr SegmentNames beit_names{{.convolution = "conv", .norm = "bn"}, "psp_modules", "1", "bottleneck"}, data2vec_names{};

/// What four layers give, brought to four sizes: the first two enlarged.
void pyramid(Builder& b, Expr d) {
  b.part(Part::projector, [&] {
    transposed_conv2d(b, "fpn1.0", d, d, 2);
    batch_norm(b, "fpn1.1", d);
    transposed_conv2d(b, "fpn1.3", d, d, 2);
    transposed_conv2d(b, "fpn2.0", d, d, 2);
  });
}

/// UPerNet's head on these four, and another one on one of them.
void segments(Config c, Builder& b, Expr d, const SegmentNames& names) {
  const auto both = [&](Text name, Expr in, Expr out, int kernel) { conv_norm(b, name, in, out, kernel, names.convolution); };
  const std::size_t scales = c.integers("pool_scales", {1, 2, 3, 6}).size();
  const Expr labels = num_labels(c), width = c.integer("auxiliary_channels", 256), depth = c.integer("auxiliary_num_convs", 1);
  const bool second = c.flag("use_auxiliary_head", true), joined = c.flag("auxiliary_concat_input", false);
  const Expr pools = c.literal(scales);
  b.scope(Part::output_head, "decode_head", [&] {
    conv2d(b, "classifier", d, labels, 1);
    b.repeat(names.pooling, all(pools), [&] { both(names.pooled, d, d, 1); });
    both(names.joined, d + pools * d, d, 3);
    b.repeat("lateral_convs", all(c.literal(3)), [&] { both("", d, d, 1); });
    b.repeat("fpn_convs", all(c.literal(3)), [&] { both("", d, d, 3); });
    both("fpn_bottleneck", 4 * d, d, 3);
  });
  if (!second) return;
  b.scope(Part::output_head, "auxiliary_head", [&] {
    b.repeat("convs", first(c.literal(1), depth), [&] { both("", d, width, 3); });
    b.repeat("convs", between(c.literal(1), depth), [&] { both("", width, width, 3); });
    if (joined) both("conv_cat", d + width, width, 3);
    conv2d(b, "classifier", width, labels, 1);
  });
}

template <bool beit_itself>
void head_of_type(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head != Head::semantic_segmentation) return beit_itself ? beit_head(c, b, m) : vision_head(c, b, m);
  const auto given = c.integers("out_indices");
  if (beit_itself && !given) c.refuse(ErrorCode::out_of_range, "out_indices", "must be a list of 4 layers for this class.");
  if (given && given->size() != 4) c.refuse(ErrorCode::out_of_range, "out_indices", "must be a list of 4 layers.");
  pyramid(b, m.hidden);
  segments(c, b, m.hidden, beit_itself ? beit_names : data2vec_names);
}

constexpr unsigned images = heads::base | heads::image | heads::semantic;

}  // namespace

extern const Family beit{
    .model_type = "beit",
    .summary = "As ViT, with relative positions, trained to tell what is hidden.",
    .classes = {"Beit", images | heads::masked_image, "beit"},
    .backbone = backbone<beit_type, true>,
    .head = head_of_type<true>,
};
extern const Family data2vec_vision{
    .model_type = "data2vec-vision",
    .summary = "As BEiT, trained otherwise.",
    .classes = {"Data2VecVision", images, "data2vec_vision"},
    .backbone = backbone<data2vec_type, false>,
    .head = head_of_type<false>,
};

}  // namespace param_ledger
