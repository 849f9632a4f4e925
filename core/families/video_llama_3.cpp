// VideoLLaMA 3: a vision transformer without learned positions, a two-layer projector, and a text model, by default Qwen2.
// Source: transformers, models/video_llama_3.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family video_llama_3_vision;

namespace {

BackboneOutput vision(Config c, Builder& b) {
  const VisionLayers m = vision_fields(c, {768, 3072, 12, 12});
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 16);
  b.scope(Part::embedding, "embeddings", [&] { patch_embedding(b, "patch_embedding", channels, d, patch); });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "post_layernorm", d);
  return {.hidden = d};
}

BackboneOutput backbone(Config c, Builder& b) {
  BackboneOutput tower;
  b.tower(Tower::vision, "vision_model", [&] { tower = nested(c.section("vision_config"), b, "", video_llama_3_vision); });
  const BackboneOutput out = text_beside_vision(c.section("text_config"), b, "language_model", "qwen2");
  b.tower(Tower::projector, "projector.readout", [&] {
    linear(b, "0", tower.hidden, out.hidden, true);
    linear(b, "2", out.hidden, out.hidden, true);
  });
  return out;
}

constexpr Architecture vision_classes[] = {{"VideoLlama3VisionModel", Head::none, ""}};

}  // namespace

extern const Family video_llama_3{
    .model_type = "video_llama_3",
    .summary = "Vision-language model for video: any language model with a vision encoder.",
    .classes = {"VideoLlama3", heads::conditional | heads::base},
    .backbone = backbone,
    .head = outer_language_model_head,
};
extern const Family video_llama_3_vision{
    .model_type = "video_llama_3_vision",
    .summary = "Vision encoder of VideoLLaMA 3.",
    .classes = {.listed = vision_classes},
    .backbone = vision,
};

}  // namespace param_ledger
