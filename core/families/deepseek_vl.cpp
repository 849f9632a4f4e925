// DeepSeek-VL: a vision transformer (by default SigLIP's), an aligner and a text model (by default a Llama). The hybrid model also has
// SAM's vision transformer for images of high resolution.
// Source: transformers, models/deepseek_vl, deepseek_vl_hybrid.

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput tower = vision_tower(c.section("vision_config"), b, "vision_model",
                                            {"siglip_vision_model", "siglip2_vision_model", "clip_vision_model", "pixtral"});
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "llama");
  b.tower(Tower::projector, "aligner", [&] {
    linear(b, "linear1", tower.hidden, out.hidden, true);
    linear(b, "linear2", out.hidden, out.hidden, true);
  });
  out.tie_by_default = true;
  return out;
}

/// Records SAM's tower, a neck for one of its intermediate outputs, two convolutions that process both this output and the final one, and
/// the weight with which the first result is added to the second. Returns the output width.
Expr high_resolution(Config c, Builder& b) {
  nested_tower(c, b, Tower::vision, "high_res_vision_model", {"sam_vision_model"});
  const Expr d = c.integer("hidden_size", 768), channels = c.integer("output_channels", 256);
  b.tower(Tower::projector, "high_res_vision_neck", [&] {
    conv2d(b, "conv1", d, channels, 1, false);
    layer_norm(b, "layer_norm1", channels);
    conv2d(b, "conv2", channels, channels, 3, false);
    layer_norm(b, "layer_norm2", channels);
  });
  b.tower(Tower::projector, "high_res_vision_proj", [&] {
    conv2d(b, "conv1", channels, 2 * channels, 3, false);
    conv2d(b, "conv2", 2 * channels, 4 * channels, 3, false);
  });
  b.tower(Tower::projector, "", [&] { b.parameter("high_res_vision_alpha", {c.literal(1)}); });
  return 4 * channels;
}

BackboneOutput hybrid_backbone(Config c, Builder& b) {
  const BackboneOutput tower =
      vision_tower(c.section("vision_config"), b, "vision_model", {"siglip_vision_model", "clip_vision_model", "pixtral"});
  const Expr high = high_resolution(c.section("high_res_vision_config"), b);
  BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "llama");
  b.tower(Tower::projector, "aligner", [&] {
    const Expr half = floor_divide(out.hidden, c.literal(2));
    linear(b, "vision_proj", tower.hidden, half, true);
    linear(b, "high_res_vision_proj", high, half, true);
    linear(b, "proj", out.hidden, out.hidden, true);
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family deepseek_vl{
    .model_type = "deepseek_vl",
    .summary = "Vision-language model: Llama with SigLIP.",
    .classes = {"DeepseekVL", heads::conditional | heads::base},
    .backbone = backbone,
};

extern const Family deepseek_vl_hybrid{
    .model_type = "deepseek_vl_hybrid",
    .summary = "Vision-language model: Llama with SigLIP, and SAM's ViT for high resolution.",
    .classes = {"DeepseekVLHybrid", heads::conditional | heads::base},
    .backbone = hybrid_backbone,
};

}  // namespace param_ledger
