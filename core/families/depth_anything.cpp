// Depth Anything: DPT's neck on several layers of DINOv2 or another transformer, and three convolutions that predict depth.
// Source: transformers, models/depth_anything, prompt_depth_anything.

#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/dpt_neck.hpp"

namespace param_ledger {

extern const Family dinov2_small;

namespace {

/// Records the convolutions that process the prompt, a depth map. Their output is fused with the image features.
void prompt(Builder& b, Expr d) {
  b.scope("prompt_depth_layer", [&] {
    conv2d(b, "convolution1", b.pool().literal(1), d, 3);
    conv2d(b, "convolution2", d, d, 3);
    conv2d(b, "convolution3", d, d, 3);
  });
}

template <bool prompted>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr in = c.integer("reassemble_hidden_size", 384), d = c.integer("fusion_hidden_size", 64);
  const Expr narrow = c.integer("head_hidden_size", 32), half = floor_divide(d, c.literal(2));
  const std::vector<Expr> widths = c.dimensions("neck_hidden_sizes", {48, 96, 192, 384});
  refuse_named_backbone(c);
  Config section = c.section("backbone_config");
  b.tower(Tower::vision, "", [&] {
    if (is_given(c, "backbone_config"))
      nested_backbone_auto(section, b, "backbone", "dinov2");
    else
      nested_backbone(section, b, "backbone", dinov2_small);
  });
  reassemble_stage(c, b, in, widths, false);
  fused_levels(b, d, widths, {.more = prompted ? prompt : nullptr});
  b.scope(Part::output_head, "head", [&] {
    conv2d(b, "conv1", d, half, 3);
    conv2d(b, "conv2", half, narrow, 3);
    conv2d(b, "conv3", narrow, c.literal(1), 1);
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"DepthAnythingForDepthEstimation", Head::none, ""}};
constexpr Architecture prompted_classes[] = {{"PromptDepthAnythingForDepthEstimation", Head::none, ""}};

}  // namespace

extern const Family depth_anything{
    .model_type = "depth_anything",
    .summary = "Monocular depth estimation: DINOv2 with a DPT head.",
    .classes = {.listed = classes},
    .backbone = backbone<false>,
};
extern const Family prompt_depth_anything{
    .model_type = "prompt_depth_anything",
    .summary = "Like Depth Anything, prompted with a sparse depth map (LiDAR) for metric depth.",
    .classes = {.listed = prompted_classes},
    .backbone = backbone<true>,
};

}  // namespace param_ledger
