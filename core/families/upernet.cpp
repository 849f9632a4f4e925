// UPerNet: the outputs of a backbone's stages are fused into a segmentation map, after the last one is also pooled at several scales.
// Source: transformers, models/upernet.

#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/uper_heads.hpp"

namespace param_ledger {

extern const Family resnet;

namespace {

constexpr UperNames names{{.convolution = "conv", .norm = "batch_norm"}, "psp_modules", "1", "bottleneck"};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr width = c.integer("hidden_size", 512);
  const std::optional<Expr> taken = c.optional_integer("auxiliary_in_channels");
  std::vector<Expr> seen;
  b.tower(Tower::vision, "", [&] { seen = taken_backbone(c, b, "backbone", resnet, 1); });
  constexpr std::size_t third = 2;
  if (!taken && seen.size() <= third && c.flag("use_auxiliary_head", true))
    c.refuse(ErrorCode::inconsistent, "use_auxiliary_head", "reads the backbone's third stage, which must be in out_features.");
  uper_heads(c, b, seen, width, taken.value_or(Expr{}), names);
  return {.hidden = width};
}

constexpr Architecture classes[] = {{"UperNetForSemanticSegmentation", Head::none, ""}};

}  // namespace

extern const Family upernet{
    .model_type = "upernet",
    .summary = "Semantic segmentation: pyramid pooling and feature fusion on any backbone.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
