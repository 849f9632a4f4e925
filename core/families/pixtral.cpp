// Pixtral: a vision transformer with RoPE, RMSNorm and gated feed-forward blocks, without biases.
// Source: transformers, models/pixtral.

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) { return pixtral_vision(c, b, 16); }

constexpr Architecture classes[] = {{"PixtralVisionModel", Head::none, ""}};

}  // namespace

extern const Family pixtral{
    .model_type = "pixtral",
    .summary = "ViT with 2D RoPE for images of any size.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
