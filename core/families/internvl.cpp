// InternVL: a vision transformer with scales of what its blocks add, whose neighbouring patches are joined and projected into the
// tokens of a text model.
// Source: transformers, models/internvl.

#include "core/blocks/vit.hpp"
#include "core/nested.hpp"

namespace param_ledger {

namespace {

constexpr VisionLayers layers = [] {
  VisionLayers m = vit_layers;
  m.attention.q = m.attention.k = m.attention.v = {};
  m.attention.o = "projection_layer";
  m.mlp_name = "mlp";
  m.up = "fc1", m.down = "fc2";
  m.scale1 = "lambda_1", m.scale2 = "lambda_2";
  return m;
}();

void switches(Config c, Vit& m) {
  static constexpr std::string_view norms[] = {"layer_norm", "rms_norm"};
  m.layers.attention.qkv_bias = c.flag("attention_bias", false);
  if (c.flag("use_qk_norm", false)) m.layers.attention.head_norms = HeadNorms::whole;
  if (c.text("norm_type", "layer_norm", norms) == "rms_norm") m.layers.norm = Norm::rms;
  if (c.flag("use_mask_token", false)) m.mask = MaskToken::one;
  m.positions = c.flag("use_absolute_position_embeddings", true);
  if (c.flag("use_mean_pooling", true)) m.last_norm = "";
}

constexpr VitType type{.sizes = {1024, 4096, 24, 16, 448, 14}, .layout = {.layers = layers}, .switches = switches, .own_head_dim = false};
constexpr Family tower_model{
    .backbone = vit_of_type<type>,
};

Backbone backbone(Config c, Builder& b) {
  Backbone tower;
  b.tower(Part::vision, "vision_tower", [&] { tower = nested(c.section("vision_config"), b, "", tower_model); });
  const Expr joined = power(shuffled_side(c), 2) * tower.hidden;
  Backbone out = text_beside_vision(c.section("text_config"), b, "language_model.model", "qwen2");
  b.scope(Part::projector, "multi_modal_projector", [&] {
    layer_norm(b, "layer_norm", joined);
    two_layers(b, joined, out.hidden, out.hidden, true);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

constexpr Architecture vision_classes[] = {{"InternVLVisionModel", Head::none, ""}};

}  // namespace

extern const Family internvl{
    .model_type = "internvl",
    .summary = "A text model of any type with InternViT, whose patches are joined.",
    .classes = {"InternVL", heads::conditional | heads::base, ""},
    .backbone = backbone,
};
extern const Family internvl_vision{
    .model_type = "internvl_vision",
    .summary = "InternViT, the vision transformer of InternVL.",
    .classes = {.listed = vision_classes},
    .backbone = vit_of_type<type>,
};

}  // namespace param_ledger
