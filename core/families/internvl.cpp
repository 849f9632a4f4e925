// InternVL and Qianfan-OCR: a vision transformer with LayerScale. Neighbouring patches are concatenated and projected to the text model.
// Qianfan-OCR's files have the tensor names of InternVL's original code. When transformers saves them, it renames the text model's layers
// along with the tower's. Source: transformers, models/internvl, qianfan_ocr, conversion_mapping.py.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vit.hpp"

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

template <bool bias>
void switches(Config c, Vit& m) {
  static constexpr std::string_view norms[] = {"layer_norm", "rms_norm"};
  m.layers.attention.qkv_bias = c.flag("attention_bias", bias);
  if (c.flag("use_qk_norm", false)) m.layers.attention.head_norms = QkNorm::whole;
  if (c.text("norm_type", "layer_norm", norms) == "rms_norm") m.layers.norm = Norm::rms;
  if (c.flag("use_mask_token", false)) m.mask = MaskToken::one;
  m.positions = c.flag("use_absolute_position_embeddings", true);
  if (c.flag("use_mean_pooling", true)) m.last_norm = "";
}

constexpr VisionDefaults sizes{1024, 4096, 24, 16, 448, 14};
constexpr VitType type{.sizes = sizes, .layout = {.layers = layers}, .switches = switches<false>, .own_head_dim = false};
constexpr VitType qianfan_type{.sizes = sizes, .layout = {.layers = layers}, .switches = switches<true>, .own_head_dim = false};
constexpr Family tower_model{
    .backbone = vit_of_type<type>,
};

BackboneOutput backbone(Config c, Builder& b) {
  BackboneOutput tower;
  b.tower(Tower::vision, "vision_tower", [&] { tower = nested(c.section("vision_config"), b, "", tower_model); });
  const Expr joined = power(pixel_shuffle_side(c), 2) * tower.hidden;
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model.model", "qwen2");
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    layer_norm(b, "layer_norm", joined);
    two_layers(b, joined, out.hidden, out.hidden, true);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

BackboneOutput qianfan_vision(Config c, Builder& b) {
  Vit m = vit_fields(c, qianfan_type);
  m.layers.layers = "layers";
  return vit_model(c, b, m);
}

/// Records Qianfan-OCR's vision tower with the names that files of the whole model use. The query and key norms keep transformers'
/// names.
BackboneOutput qianfan_tower(Config c, Builder& b) {
  Vit m = vit_fields(c, qianfan_type);
  const Expr d = m.layers.attention.hidden;
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "class_embedding", 1, d);
    if (m.mask == MaskToken::one) tokens(b, "mask_token", 1, d);
    patch_embedding(b, "patch_embedding", m.channels, d, m.patch);
    if (m.positions) tokens(b, "position_embedding", m.positions_count(b.pool()), d, TensorRole::position_embedding);
  });
  VisionLayers& l = m.layers;
  l.layers = "encoder.layers";
  l.attention_name = "";
  l.attention.fused = "attn.qkv", l.attention.o = "attn.proj";
  l.attention.q_norm = "attention.q_norm", l.attention.k_norm = "attention.k_norm";
  l.norm1 = "norm1", l.norm2 = "norm2";
  l.scale1 = "ls1", l.scale2 = "ls2";
  vision_layers(b, l);
  if (!m.last_norm.empty()) layer_norm(b, m.last_norm, d);
  return {.hidden = d};
}
constexpr Family qianfan_tower_model{
    .backbone = qianfan_tower,
};

BackboneOutput qianfan_backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none;
  BackboneOutput tower, out;
  b.tower(Tower::vision, bare ? "vision_tower" : "vision_model",
          [&] { tower = nested(c.section("vision_config"), b, "", qianfan_tower_model); });
  const Expr joined = power(pixel_shuffle_side(c), 2) * tower.hidden;
  b.renaming_layers("encoder.layers", [&] {
    out = text_beside_vision(c.section("text_config"), b, bare ? "language_model" : "language_model.model", "qwen3");
  });
  b.tower(Tower::projector, bare ? "multi_modal_projector" : "mlp1", [&] {
    layer_norm(b, bare ? "layer_norm" : "0", joined);
    linear(b, bare ? "linear_1" : "1", joined, out.hidden, true);
    linear(b, bare ? "linear_2" : "3", out.hidden, out.hidden, true);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = false;
  return out;
}

constexpr Architecture qianfan_vision_classes[] = {{"QianfanOCRVisionModel", Head::none, ""}};
constexpr Architecture vision_classes[] = {{"InternVLVisionModel", Head::none, ""}};

}  // namespace

extern const Family internvl{
    .model_type = "internvl",
    .summary = "Vision-language model: any language model with InternViT and pixel shuffle.",
    .classes = {"InternVL", heads::conditional | heads::base, ""},
    .backbone = backbone,
};
extern const Family internvl_vision{
    .model_type = "internvl_vision",
    .summary = "InternViT, the vision encoder of InternVL.",
    .classes = {.listed = vision_classes},
    .backbone = vit_of_type<type>,
};

extern const Family qianfan_ocr{
    .model_type = "qianfan_ocr",
    .summary = "Document OCR: InternVL with Qwen3.",
    .classes = {"QianfanOCR", heads::conditional | heads::base, ""},
    .backbone = qianfan_backbone,
};
extern const Family qianfan_ocr_vision{
    .model_type = "qianfan_ocr_vision",
    .summary = "Vision encoder of Qianfan-OCR.",
    .classes = {.listed = qianfan_vision_classes},
    .backbone = qianfan_vision,
};

}  // namespace param_ledger
