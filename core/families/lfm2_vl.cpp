// LFM2-VL and LFM3-VL: a vision tower and an LFM as text model. Neighbouring patches are concatenated and projected to the text model's
// width. By default, LFM2-VL has SigLIP 2's tower, and LFM3-VL's tower begins with two convolution layers, after which attention and
// convolution layers alternate. Source: transformers, models/lfm2_vl, lfm3_vl.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput tower = vision_tower(c.section("vision_config"), b, "vision_tower",
                                            {"siglip2_vision_model", "siglip_vision_model", "clip_vision_model", "pixtral"});
  const Expr joined = power(c.integer("downsample_factor", 2), 2) * tower.hidden, inner = c.integer("projector_hidden_size", 2560);
  const bool bias = c.flag("projector_bias", true), normed = c.flag("projector_use_layernorm", true);
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "lfm2");
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    if (normed) layer_norm(b, "layer_norm", joined);
    two_layers(b, joined, inner, out.hidden, bias);
  });
  out.tie_by_default = true;
  return out;
}

BackboneOutput vision_backbone(Config c, Builder& b) {
  static constexpr std::string_view kinds[] = {"conv", "full_attention", "attention", "sliding_attention", "chunked_attention"};
  const Expr d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 2560), n_layers = c.integer("num_hidden_layers", 14);
  const Expr n = c.integer("num_attention_heads", 16, 1), n_kv = c.integer("num_key_value_heads", 8);
  const Expr kernel = c.integer("conv_kernel_size", 3);
  const Expr pixels = c.integer("in_channels", 3) * c.integer("temporal_patch_size", 2) * power(c.integer("patch_size", 16), 2);
  const auto listed = layer_kinds(c, "layer_types", n_layers, kinds,
                                  [](std::size_t i) -> std::string_view { return i < 2 || i % 2 == 1 ? "conv" : "full_attention"; });
  const Split layers = split(c, n_layers, "num_conv_layers", "L_c", "Layers with a convolution; the others have attention.",
                             [&](std::size_t i) { return listed[i] == "conv"; });
  b.part(Part::embedding, [&] { linear(b, "patchifier", pixels, d); });
  rms_norm(b, "embedding_norm", d);
  b.repeat("layers", all(n_layers), [&] { rms_norm(b, "operator_norm", d); });
  b.repeat("layers", layers.in, [&] {
    b.scope(Part::convolution, "conv", [&] {
      linear(b, "in_proj", d, 3 * d);
      depthwise_conv2d(b, "spatial_conv", d, kernel, false);
      linear(b, "out_proj", d, d);
    });
  });
  b.repeat("layers", layers.out, [&] {
    attention(b, "self_attn",
              {.hidden = d,
               .heads = n,
               .kv_heads = n_kv,
               .head_dim = floor_divide(d, n),
               .head_norms = QkNorm::per_head,
               .o = "out_proj",
               .q_norm = "q_layernorm",
               .k_norm = "k_layernorm"});
  });
  b.repeat("layers", all(n_layers), [&] {
    rms_norm(b, "ffn_norm", d);
    gated_mlp(b, "feed_forward", d, f, false, {"w1", "w3", "w2"});
  });
  return {.hidden = d};
}
constexpr Family vision_model{
    .backbone = vision_backbone,
};

BackboneOutput backbone_3(Config c, Builder& b) {
  Config vision = c.section("vision_config");
  require_type(vision, "lfm3_vl_vision");  // the names in files depend on this type
  BackboneOutput tower;
  b.tower(Tower::vision, "vision_tower", [&] { tower = nested(vision, b, "", vision_model); });
  const Expr joined = power(vision.integer("spatial_merge_size", 2), 2) * tower.hidden, inner = c.integer("projector_hidden_size", 4096);
  const bool bias = c.flag("projector_bias", true);
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "lfm3");
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    layer_norm(b, "layer_norm", tower.hidden);
    two_layers(b, joined, inner, out.hidden, bias);
  });
  out.tie_by_default = true;
  return out;
}

constexpr Architecture vision_classes[] = {{"Lfm3VlVisionModel", Head::none, ""}};
constexpr Alias aliases[] = {{"tie_embedding", "tie_word_embeddings"}};

}  // namespace

extern const Family lfm2_vl{
    .model_type = "lfm2_vl",
    .summary = "Vision-language model: LFM2 with SigLIP 2.",
    .classes = {"Lfm2Vl", heads::conditional | heads::base},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::of_text_model,
};

extern const Family lfm3_vl{
    .model_type = "lfm3_vl",
    .summary = "Vision-language model: LFM3 with a hybrid attention-convolution vision encoder.",
    .classes = {"Lfm3Vl", heads::conditional | heads::base},
    .backbone = backbone_3,
};
extern const Family lfm3_vl_vision{
    .model_type = "lfm3_vl_vision",
    .summary = "Vision encoder of LFM3-VL: alternating attention and convolutions.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
