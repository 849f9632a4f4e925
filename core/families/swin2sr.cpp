// Swin2SR: Swin V2's layers, all with the same width and resolution, for image super-resolution. Source: transformers, models/swin2sr.

#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/swin.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), d = c.integer("embed_dim", 180);
  Swin m{.type = {.second = true}, .channels = channels, .width = d};
  const Sides image = c.sides("image_size", 64), patch = c.sides("patch_size", 1);
  m.depths = c.dimensions("depths", {6, 6, 6, 6, 6, 6});
  m.heads = stage_dimensions(c, "num_heads", {6, 6, 6, 6, 6, 6}, c.literal(m.depths.size()));
  m.window = c.integer("window_size", 8);
  m.qkv_bias = c.flag("qkv_bias", true);
  m.positions = c.flag("use_absolute_embeddings", false);
  const std::string_view joint = c.text("resi_connection", "1conv");
  const Expr inner = c.scaled("mlp_ratio", 2.0, d, "inner_size", "f"), quarter = floor_divide(d, c.literal(4));
  b.scope(Part::embedding, "", [&] {
    conv2d(b, "first_convolution", channels, d, 3);
    conv2d(b, "embeddings.patch_embeddings.projection", d, d, patch);
    layer_norm(b, "embeddings.patch_embeddings.layernorm", d);
    if (m.positions) tokens(b, "embeddings.position_embeddings", area(grid(image, patch)) + 1, d);
  });
  for (std::size_t i = 0; i < m.depths.size(); ++i)
    b.scope(concat({"encoder.stages.", digits(i)}), [&] {
      b.repeat("layers", all(m.depths[i]), [&] { swin_layer(b, m, d, m.heads[i], inner); });
      b.part(Part::convolution, [&] {
        if (joint == "1conv") conv2d(b, "conv", d, d, 3);
        if (joint == "3conv") {
          conv2d(b, "conv.0", d, quarter, 3);
          conv2d(b, "conv.2", quarter, quarter, 1);
          conv2d(b, "conv.4", quarter, d, 3);
        }
        conv2d(b, "patch_embed.projection", d, d, patch);
      });
    });
  layer_norm(b, "layernorm", d);
  b.part(Part::convolution, [&] { conv2d(b, "conv_after_body", d, d, 3); });
  return {.hidden = d};
}

/// Records the convolutions that each double the resolution, or the one that triples it.
void enlarging(Config c, Builder& b, Expr scale, Expr width) {
  const Count by = scale.decide();
  const bool doubles = (by & (by - 1)) == 0;
  if (by == 0 || (!doubles && by != 3)) c.refuse(ErrorCode::out_of_range, "upscale", "must be a power of 2, or 3.");
  if (!doubles) return conv2d(b, "upsample.upsample.convolution", width, 9 * width, 3);
  std::size_t i = 0;
  for (Count left = by; left > 1; left /= 2) conv2d(b, concat({"upsample.upsample.convolution_", digits(i++)}), width, 4 * width, 3);
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return;
  const std::string_view way = c.text("upsampler", "pixelshuffle");
  const Expr channels = c.integer("num_channels", 3), out = c.integer("num_channels_out", channels), scale = c.integer("upscale", 2);
  const Expr d = m.hidden, width = c.literal(64), three = c.literal(3);
  b.part(Part::output_head, [&] {
    if (way == "pixelshuffledirect") return conv2d(b, "upsample.conv", d, power(scale, 2) * out, 3);
    const bool shuffles = way == "pixelshuffle" || way == "pixelshuffle_aux";
    if (!shuffles && way != "nearest+conv") return conv2d(b, "final_convolution", d, out, 3);
    conv2d(b, "upsample.conv_before_upsample", d, width, 3);
    conv2d(b, "upsample.final_convolution", width, out, 3);
    if (shuffles) enlarging(c, b, scale, width);
    if (way == "pixelshuffle_aux") {
      conv2d(b, "upsample.conv_bicubic", channels, width, 3);
      conv2d(b, "upsample.conv_aux", width, channels, 3);
      conv2d(b, "upsample.conv_after_aux.0", three, width, 3);
    }
    if (way == "nearest+conv")
      for (const Text name : {"upsample.conv_up1", "upsample.conv_up2", "upsample.conv_hr"}) conv2d(b, name, width, width, 3);
  });
}

constexpr Alias aliases[] = {{"hidden_size", "embed_dim"}, {"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}};
constexpr Architecture enlargers[] = {{"Swin2SRForImageSuperResolution", Head::other, "swin2sr"}};

}  // namespace

extern const Family swin2sr{
    .model_type = "swin2sr",
    .summary = "Image super-resolution: Swin V2 at constant resolution.",
    .classes = {"Swin2SR", heads::base, "swin2sr", {}, enlargers},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
