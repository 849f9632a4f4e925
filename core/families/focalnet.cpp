// FocalNet: Swin's stages with focal modulation, which gathers context by convolutions, instead of attention.
// Source: transformers, models/focalnet.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr std::uint64_t stride = 32;

struct Layer {
  Expr d, inner, levels, window;
  bool scaled, normed;
};

void layer(Builder& b, const Layer& m) {
  layer_norm(b, "norm1", m.d);
  b.scope(Part::attention, "modulation", [&] {
    const InBlock block(b, {Mechanism::focal_modulation});
    linear(b, "projection_in", m.d, 2 * m.d + m.levels + 1, true);
    conv2d(b, "projection_context", m.d, m.d, 1);
    linear(b, "projection_out", m.d, m.d, true);
    for (std::uint64_t i = 0; i < m.levels.decide(); ++i)
      depthwise_conv2d(b, concat({"focal_layers.", digits(i), ".0"}), m.d, i == 0 ? m.window : m.window + 2 * i, false);
    if (m.normed) layer_norm(b, "layernorm", m.d);
  });
  layer_norm(b, "norm2", m.d);
  mlp(b, "mlp", m.d, m.inner, true, "fc1", "fc2");
  if (m.scaled)
    b.part(Part::feed_forward, [&] {
      for (const Text name : {"gamma_1", "gamma_2"}) layer_scale(b, name, m.d);
    });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), first = c.integer("embed_dim", 96);
  const Sides patch = c.sides("patch_size", 4);
  const std::vector<Expr> depths = c.dimensions("depths", {2, 2, 6, 2}), widths = c.dimensions("hidden_sizes", {192, 384, 768, 768});
  const Expr count = c.literal(depths.size());
  const std::vector<Expr> levels = stage_dimensions(c, "focal_levels", {2, 2, 2, 2}, count),
                          windows = stage_dimensions(c, "focal_windows", {3, 3, 3, 3}, count);
  const bool convolves = c.flag("use_conv_embed", false), scaled = c.flag("use_layerscale", false),
             normed = c.flag("use_post_layernorm_in_modulation", false);
  constexpr std::size_t most_stages = 32;
  if (depths.empty() || depths.size() > most_stages)
    c.refuse(ErrorCode::out_of_range, "depths", "must have 1 to 32 stages.", Refused::list_length);
  const Head head = b.architecture().head;
  b.scope(head == Head::backbone ? "focalnet" : "", [&] {
    b.scope(Part::embedding, "embeddings", [&] {
      if (head == Head::masked_image) tokens(b, "mask_token", 1, first);
      patch_embedding(b, "patch_embeddings.projection", channels, first, convolves ? Kernel(7) : Kernel(patch));
      layer_norm(b, "norm", first);
    });
    for (std::size_t i = 0; i < depths.size(); ++i) {
      const std::string number = digits(i);
      const Expr d = times_power_of_two(first, i), inner = stage_inner_width(c, i, d, 4.0);
      require_listable(levels[i]);
      b.scope(concat({"encoder.stages.", number}), [&] {
        b.repeat("layers", all(depths[i]), [&] { layer(b, {d, inner, levels[i], windows[i], scaled, normed}); });
        if (i + 1 == depths.size()) return;
        b.scope(Part::convolution, "downsample", [&] {
          conv2d(b, "projection", d, times_power_of_two(first, i + 1), convolves ? 3 : 2);
          layer_norm(b, "norm", times_power_of_two(first, i + 1));
        });
      });
    }
    layer_norm(b, "layernorm", times_power_of_two(first, depths.size() - 1));
  });
  std::vector<Expr> given{first};
  given.insert(given.end(), widths.begin(), widths.end());
  return {.hidden = times_power_of_two(first, depths.size() - 1), .stages = b.pool().keep(std::span<const Expr>(given))};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::masked_image) return masked_image_decoder(c, b, m.hidden, stride);
  vision_head(c, b, m);
}

}  // namespace

extern const Family focalnet{
    .model_type = "focalnet",
    .summary = "Hierarchical vision model with focal modulation instead of attention.",
    .classes = {"FocalNet", heads::base | heads::image | heads::masked_image | heads::backbone, "focalnet"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
