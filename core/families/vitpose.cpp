// ViTPose: ViT with a head that predicts heatmaps of keypoints. Feed-forward blocks may end with a separate expert for each dataset.
// Source: transformers, models/vitpose, vitpose_backbone.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

extern const Family vitpose_backbone;

namespace {

constexpr VisionLayers layers = [] {
  VisionLayers m = vit_layers;
  m.mlp_name = "mlp", m.up = "fc1", m.down = "fc2";
  return m;
}();
constexpr VitType type{.sizes = {768, 0, 12, 12, 256, 16, 192}, .layout = {.layers = layers}, .switches = qkv_bias, .own_head_dim = false};

BackboneOutput body(Config c, Builder& b) {
  VitType usual = type;
  if (c.peek("image_size").is(Json::Type::integer)) usual.sizes.width = 0;
  Vit m = vit_fields(c, usual);
  const Expr n_experts = c.integer("num_experts", 1), own = c.integer("part_features", 256), d = m.layers.attention.hidden;
  const bool experts = n_experts.decide() != 1;
  b.scope(Part::embedding, "embeddings", [&] {
    patch_embedding(b, "patch_embeddings.projection", m.channels, d, m.patch);
    tokens(b, "position_embeddings", m.patches() + 1, d, TensorRole::position_embedding);
  });
  if (experts) {
    m.layers.feed_forward = false;
    b.repeat("encoder.layer", all(m.layers.n_layers), [&] {
      b.scope(Part::feed_forward, "mlp", [&] {
        linear(b, "fc1", d, m.layers.inner, true, TensorRole::up);
        linear(b, "fc2", m.layers.inner, d - own, true, TensorRole::down);
        b.repeat("experts", all(n_experts), [&] { linear(b, "", m.layers.inner, own, true, TensorRole::down); });
      });
    });
  }
  vision_layers(b, m.layers);
  layer_norm(b, "layernorm", d);
  return layers_as_stages(b, d, m.layers.n_layers);
}

BackboneOutput backbone(Config c, Builder& b) {
  refuse_named_backbone(c);
  Config section = c.section("backbone_config");
  const bool simple = c.flag("use_simple_decoder", true);
  const Expr labels = num_labels(c), middle = c.literal(256);
  require_type(section, vitpose_backbone.model_type);
  Expr d;
  b.tower(Tower::vision, "", [&] { d = nested_backbone(section, b, "backbone", vitpose_backbone).hidden; });
  b.scope(Part::output_head, "head", [&] {
    if (!simple)
      for (const Text number : {"1", "2"}) {
        transposed_conv2d(b, concat({"deconv", number}), number == "1" ? d : middle, middle, 4, false);
        batch_norm(b, concat({"batchnorm", number}), middle);
      }
    conv2d(b, "conv", simple ? d : middle, labels, simple ? 3 : 1);
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"VitPoseForPoseEstimation", Head::none, ""}};
constexpr Architecture body_classes[] = {{"VitPoseBackbone", Head::backbone, ""}};

}  // namespace

extern const Family vitpose{
    .model_type = "vitpose",
    .summary = "Human pose estimation: a ViT with a heatmap decoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family vitpose_backbone{
    .model_type = "vitpose_backbone",
    .summary = "ViT backbone of ViTPose.",
    .classes = {.listed = body_classes},
    .backbone = body,
};

}  // namespace param_ledger
