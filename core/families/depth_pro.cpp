// DepthPro: a vision transformer (by default DINOv2) on the image and one on crops at several scales. Their features are fused step by step
// into a depth map. Source: transformers, models/depth_pro.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

extern const Family dinov2_of_384;

namespace {

/// Records one of DepthPro's backbones and returns its width. The backbone's image_size must equal patch_size, the side of an image crop.
Expr encoder(Config c, Builder& b, Text field, Text name) {
  const Expr side = c.integer("patch_size", 384);
  Config section = c.section(field);
  const Json type = section.peek("model_type"), image = section.peek("image_size");
  const bool own = !type || (type.is(Json::Type::string) && type.string() == "dinov2");
  constexpr Count usual = 384;
  if (image ? !image.is(Json::Type::integer) || image.magnitude() != side.decide() : !own || side.decide() != usual)
    section.refuse(ErrorCode::inconsistent, "image_size", "must equal the model's patch_size.");
  Expr out;
  b.tower(Tower::vision, name,
          [&] { out = own ? nested(section, b, "model", dinov2_of_384).hidden : nested_auto(section, b, "model", "dinov2").hidden; });
  return out;
}

/// Records a 1 × 1 convolution and `times` transposed convolutions that each double the resolution.
void enlarging(Builder& b, Text name, Expr in, Expr middle, Expr out, std::size_t times) {
  b.scope(name, [&] {
    conv2d(b, "layers.0", in, middle, 1, false);
    for (std::size_t i = 0; i < times; ++i) transposed_conv2d(b, concat({"layers.", digits(i + 1)}), i == 0 ? middle : out, out, 2, false);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("fusion_hidden_size", 256);
  const std::vector<Expr> scaled = c.dimensions("scaled_images_feature_dims", {1024, 1024, 512}),
                          between_them = c.dimensions("intermediate_feature_dims", {256, 256});
  if (scaled.empty()) c.refuse(ErrorCode::out_of_range, "scaled_images_feature_dims", "must have at least 1 entry.", Refused::list_length);
  const Expr image = encoder(c, b, "image_model_config", "encoder.image_encoder"),
             piece = encoder(c, b, "patch_model_config", "encoder.patch_encoder");
  b.tower(Tower::projector, "neck", [&] {
    transposed_conv2d(b, "feature_upsample.image_block.layers.0", image, scaled[0], 2);
    for (std::size_t i = 0; i < scaled.size(); ++i)
      enlarging(b, concat({"feature_upsample.scaled_images.", digits(i)}), piece, scaled[i], scaled[i], 1);
    for (std::size_t i = 0; i < between_them.size(); ++i)
      enlarging(b, concat({"feature_upsample.intermediate.", digits(i)}), piece, i == 0 ? d : between_them[i], between_them[i], 2 + i);
    conv2d(b, "fuse_image_with_low_res", 2 * scaled[0], scaled[0], 1);
    std::vector<Expr> all_widths = scaled;
    all_widths.insert(all_widths.end(), between_them.begin(), between_them.end());
    for (std::size_t i = 0; i < all_widths.size(); ++i)
      if (i + 1 < all_widths.size() || all_widths[i].decide() != d.decide())
        conv2d(b, concat({"feature_projection.projections.", digits(i)}), all_widths[i], d, 3, false);
  });
  return {.hidden = d};
}

void fusion(Builder& b, Text name, Expr d, bool normed, bool bias) {
  b.scope(Part::convolution, name, [&] {
    conv2d(b, "projection", d, d, 1);
    for (const Text block : {"residual_layer1", "residual_layer2"})
      b.scope(block, [&] {
        for (const Text number : {"1", "2"}) {
          conv2d(b, concat({"convolution", number}), d, d, 3, bias);
          if (normed) batch_norm(b, concat({"batch_norm", number}), d);
        }
      });
  });
}

/// Records the layers that predict the camera's field of view.
void field_of_view(Config c, Builder& b, Expr d) {
  const Expr depth = c.integer("num_fov_head_layers", 2), two = c.literal(2), half = floor_divide(d, two);
  const Expr seen = encoder(c, b, "fov_model_config", "fov_model.fov_encoder");
  constexpr Count most = 16;
  if (depth.decide() > most) c.refuse(ErrorCode::too_large, "num_fov_head_layers", "must be at most 16.");
  const Expr out_size = floor_divide(c.integer("patch_size", 384), c.section("image_model_config").integer("patch_size", 14));
  b.scope(Part::output_head, "fov_model", [&] {
    linear(b, "fov_encoder.neck", seen, half, true);
    conv2d(b, "conv", d, half, 3);
    const auto n = static_cast<std::size_t>(depth.decide());
    const auto width = [&](std::size_t i) { return ceil_divide(d, c.literal(Count{1} << i)); };
    for (std::size_t i = 0; i < n; ++i) conv2d(b, concat({"head.layers.", digits(Count{2} * i)}), width(i + 1), width(i + 2), 3);
    conv2d(b, concat({"head.layers.", digits(Count{2} * n)}), width(n + 1), c.literal(1),
           floor_divide(out_size - 1, c.literal(Count{1} << n)) + 1);
  });
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::depth_estimation) return;
  const Expr d = m.hidden, half = floor_divide(d, c.literal(2)), few = c.literal(32);
  const bool normed = c.flag("use_batch_norm_in_fusion_residual", false), bias = c.flag("use_bias_in_fusion_residual", true);
  const std::size_t levels =
      c.integers("intermediate_hook_ids", {11, 5}).size() + c.dimensions("scaled_images_feature_dims", {1024, 1024, 512}).size();
  if (levels > 1)
    b.repeat("fusion_stage.intermediate", all(c.literal(levels - 1)), [&] {
      fusion(b, "", d, normed, bias);
      b.part(Part::convolution, [&] { transposed_conv2d(b, "deconv", d, d, 2, false); });
    });
  fusion(b, "fusion_stage.final", d, normed, bias);
  b.scope(Part::output_head, "head.layers", [&] {
    conv2d(b, "0", d, half, 3);
    transposed_conv2d(b, "1", half, half, 2);
    conv2d(b, "2", half, few, 3);
    conv2d(b, "4", few, c.literal(1), 1);
  });
  if (c.flag("use_fov_model", false)) field_of_view(c, b, d);
}

}  // namespace

extern const Family depth_pro{
    .model_type = "depth_pro",
    .summary = "Metric depth estimation: DINOv2 on the image and on multi-scale crops.",
    .classes = {"DepthPro", heads::base | heads::depth, "depth_pro"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
