// Dilated neighbourhood attention: a convolutional stem, then stages of layers in which each position attends to a window around it. In
// layers with a dilation above 1, the window has gaps. Source: transformers, models/dinat.

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/swin.hpp"

namespace param_ledger {

namespace {

struct Layer {
  Expr d, heads, inner, window;
  bool qkv_bias, scaled;
};

void layer(Builder& b, const Layer& m) {
  require_positive(m.heads);
  require_multiple(m.d, m.heads);
  layer_norm(b, "layernorm_before", m.d);
  attention(b, "attention",
            {.hidden = m.d,
             .heads = m.heads,
             .even_share = false,
             .qkv_bias = m.qkv_bias,
             .output_bias = true,
             .scaled_by_head_dim = false,
             .q = "self.query",
             .k = "self.key",
             .v = "self.value",
             .o = "output.dense"});
  const Expr offsets = 2 * m.window - 1;
  b.scope(Part::attention, "attention.self", [&] { b.parameter("rpb", {m.heads, offsets, offsets}, StorageKind::table); });
  layer_norm(b, "layernorm_after", m.d);
  mlp(b, "", m.d, m.inner, true, "intermediate.dense", "output.dense");
  // Row 0 scales the output of attention, row 1 that of the feed-forward block.
  if (m.scaled) b.part(Part::feed_forward, [&] { b.parameter("layer_scale_parameters", {b.pool().literal(2), m.d}); });
}

/// Checks that each layer has a dilation. Dilations do not change the tensors. An empty list stands for the default.
void check_dilations(Config c, const std::vector<Expr>& depths) {
  constexpr std::size_t usual[] = {3, 4, 6, 5};
  const Json given = c.peek("dilations");
  c.ignore("dilations", "It changes which positions a layer attends to, not its tensors.");
  if (given && !given.is(Json::Type::null) && !given.is(Json::Type::list))
    c.refuse(ErrorCode::wrong_type, "dilations", "must be a list of lists.");
  const bool own = given && given.is(Json::Type::list) && given.size() > 0;
  const std::size_t count = own ? given.size() : std::size(usual);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    if (own && i < count && !given[i].is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, "dilations", "must be a list of lists.");
    if (i >= count || depths[i].decide() > (own ? given[i].size() : usual[i]))
      c.refuse(ErrorCode::inconsistent, "dilations", "must have a list for each stage, with a dilation for each of its layers.",
               Refused::no);
    if (!own) continue;
    for (std::size_t j = 0; j < given[i].size(); ++j)
      if (!given[i][j].is(Json::Type::integer)) c.refuse(ErrorCode::wrong_type, "dilations", "must contain lists of whole numbers.");
  }
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr patch = c.integer("patch_size", 4), channels = c.integer("num_channels", 3), first = c.integer("embed_dim", 64, 2);
  const std::vector<Expr> depths = c.dimensions("depths", {3, 4, 6, 5}),
                          heads = stage_dimensions(c, "num_heads", {2, 4, 8, 16}, c.literal(depths.size()));
  const Expr window = c.integer("kernel_size", 7, 1);
  if (patch.decide() != 4) c.refuse(ErrorCode::out_of_range, "patch_size", "must be 4.");
  require_stages(c, depths);
  check_dilations(c, depths);
  std::vector<Expr> inner;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    inner.push_back(stage_inner_width(c, i, times_power_of_two(first, i), 3.0));
  }
  const bool qkv_bias = c.flag("qkv_bias", true), scaled = c.number("layer_scale_init_value", 0.0) > 0;

  b.scope(Part::embedding, "embeddings", [&] {
    b.scope("patch_embeddings.projection", [&] {
      const Expr half = floor_divide(first, c.literal(2));
      conv2d(b, "0", channels, half, 3);
      conv2d(b, "1", half, first, 3);
    });
    layer_norm(b, "norm", first);
  });
  std::vector<Expr> given{first};
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const Expr d = times_power_of_two(first, i);
    given.push_back(d);
    b.scope(concat({"encoder.levels.", digits(i)}), [&] {
      b.repeat("layers", all(depths[i]), [&] { layer(b, {d, heads[i], inner[i], window, qkv_bias, scaled}); });
      if (i + 1 == depths.size()) return;
      b.scope(Part::convolution, "downsample", [&] {
        conv2d(b, "reduction", d, 2 * d, 3, false);
        layer_norm(b, "norm", 2 * d);
      });
    });
  }
  if (b.architecture().head == Head::backbone) {
    for (const std::size_t i : tapped_stages(c, depths.size()))
      layer_norm(b, concat({"hidden_states_norms.", i == 0 ? "stem" : concat({"stage", digits(i)})}), given[i]);
  } else
    layer_norm(b, "layernorm", given.back());
  return {.hidden = given.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

}  // namespace

extern const Family dinat{
    .model_type = "dinat",
    .summary = "Hierarchical vision transformer whose layers attend to dilated neighbourhoods.",
    .classes = {"Dinat", heads::base | heads::image | heads::backbone, "dinat"},
    .aliases = swin_aliases,
    .backbone = backbone,
    .head = vision_head,
};

}  // namespace param_ledger
