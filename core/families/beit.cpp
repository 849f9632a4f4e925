// BEiT and Data2VecVision: like ViT, but without key biases, with optional tables of relative position biases, and by default with
// LayerScale. Source: transformers, models/beit, data2vec.

#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/uper_heads.hpp"
#include "core/nn/vision/vit.hpp"

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

template <const VitType& type, bool pooled_alone, bool by_distance = false>
BackboneOutput backbone(Config c, Builder& b) {
  const bool shared = c.flag("use_shared_relative_position_bias", false), relative = c.flag("use_relative_position_bias", by_distance);
  const Vit m = vit_fields(c, type);
  if (b.architecture().head == Head::backbone && c.flag("add_fpn", false))
    c.refuse(ErrorCode::unsupported, "add_fpn", "describes a feature pyramid that is not counted here.");
  const BackboneOutput out = vit_model(c, b, m);
  const auto biases = [&](Text name) {
    b.scope(Part::attention, name, [&] {
      // The table has a row for each relative position of two patches, and three more: from class token to patch, from patch to class
      // token, and from class token to itself.
      const Expr pairs = relative_positions(grid(m.image, m.patch)) + 3;
      b.parameter("relative_position_bias.relative_position_bias_table", {pairs, m.layers.attention.heads}, StorageKind::table);
    });
  };
  const bool as_backbone = b.architecture().head == Head::backbone;
  if (as_backbone && !m.last_norm.empty()) c.refuse(ErrorCode::unsupported, "use_mean_pooling", "must be true for a backbone here.");
  if (shared)
    // In files of the backbone class, only the shared bias table has the prefix "beit."
    biases(as_backbone ? "beit.encoder" : "encoder");
  if (relative) b.repeat("encoder.layer", all(m.layers.n_layers), [&] { biases("attention.attention"); });
  const bool pooled = b.architecture().head == Head::image_classification || (pooled_alone && b.architecture().head == Head::none);
  if (pooled && m.last_norm.empty()) layer_norm(b, "pooler.layernorm", out.hidden);
  return out;
}

void beit_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::masked_image) return vision_head(c, b, m);
  layer_norm(b, "layernorm", m.hidden);
  const Expr vocab = c.integer("vocab_size", 8192);
  b.part(Part::output_head, [&] { linear(b, "lm_head", m.hidden, vocab, true, TensorRole::head); });
}

constexpr UperNames beit_names{{.convolution = "conv", .norm = "bn"}, "psp_modules", "1", "bottleneck"}, data2vec_names{};

/// Records the modules that resize the outputs of four layers to four resolutions. Only two of the four modules have parameters: both have
/// transposed convolutions that upsample, and fpn1 also has a batch norm.
void pyramid(Builder& b, Expr d) {
  b.tower(Tower::projector, "", [&] {
    transposed_conv2d(b, "fpn1.0", d, d, 2);
    batch_norm(b, "fpn1.1", d);
    transposed_conv2d(b, "fpn1.3", d, d, 2);
    transposed_conv2d(b, "fpn2.0", d, d, 2);
  });
}

template <bool beit_itself>
void head_of_type(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::semantic_segmentation) return beit_itself ? beit_head(c, b, m) : vision_head(c, b, m);
  const auto given = c.integers("out_indices");
  if (beit_itself && !given) c.refuse(ErrorCode::out_of_range, "out_indices", "must be a list of 4 layers for this class.");
  if (given && given->size() != 4) c.refuse(ErrorCode::out_of_range, "out_indices", "must be a list of 4 layers.");
  pyramid(b, m.hidden);
  uper_heads(c, b, {m.hidden, m.hidden, m.hidden, m.hidden}, m.hidden, {}, beit_itself ? beit_names : data2vec_names);
}

constexpr unsigned images = heads::base | heads::image | heads::semantic;

/// The default sizes of ZoeDepth's backbone, those of BEiT large.
constexpr VitType large_type{{1024, 4096, 24, 16, 384, 16}, {.layers = layers}, switches};

}  // namespace

extern const Family beit{
    .model_type = "beit",
    .summary = "Like ViT, with relative position bias, pretrained by masked image modeling.",
    .classes = {"Beit", images | heads::masked_image | heads::backbone, "beit"},
    .backbone = backbone<beit_type, true>,
    .head = head_of_type<true>,
};
/// ZoeDepth's backbone if it is a BEiT: by default it is large and has relative position biases in each layer.
extern const Family beit_large{
    .model_type = "beit",
    .backbone = backbone<large_type, true, true>,
};
extern const Family data2vec_vision{
    .model_type = "data2vec-vision",
    .summary = "Like BEiT, pretrained by self-distillation.",
    .classes = {"Data2VecVision", images, "data2vec_vision"},
    .backbone = backbone<data2vec_type, false>,
    .head = head_of_type<false>,
};

}  // namespace param_ledger
