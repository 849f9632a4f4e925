// Hiera: stages of layers that attend within units of patches; the first layer of a stage widens and pools.
// Source: transformers, models/hiera.

#include <cmath>

#include "core/blocks/convolution.hpp"
#include "core/blocks/factors.hpp"
#include "core/blocks/feed_forward.hpp"
#include "core/blocks/vit.hpp"
#include "core/heads.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "num_layers"}};

/// Height and width in a list.
Sides two(Config c, Text name, std::uint64_t fallback) {
  const std::vector<Expr> list = c.dimensions(name, {fallback, fallback});
  if (list.size() != 2) c.refuse(ErrorCode::out_of_range, name, "must be a list of height and width.", Refused::list_length);
  return {list[0], list[1]};
}

/// embed_dim, doubled from stage to stage, or as embed_dim_multiplier says.
std::vector<Expr> widths(Config c, Expr first, std::size_t count) {
  const double factor = c.number("embed_dim_multiplier", 2.0);
  std::vector<Expr> out{first};
  double power = 1;
  while (out.size() < count)
    out.push_back(times_factor(c, "embed_dim_multiplier", power = std::pow(factor, static_cast<double>(out.size())), first,
                               concat({"stage_widths[", digits(out.size()), "]"}), concat({"d_", digits(out.size())})));
  return out;
}

void layer(Builder& b, Expr in, Expr out, Expr heads, Expr inner) {
  require_positive(heads);
  require_positive(floor_divide(out, heads));  // by whose root scores are divided
  layer_norm(b, "layernorm_before", in);
  b.scope(Part::attention, "attn", [&] {
    linear(b, "qkv", in, 3 * out, true, Does::query_key_value);
    linear(b, "proj", out, out, true, Does::output);
  });
  layer_norm(b, "layernorm_after", out);
  mlp(b, "mlp", out, inner, true, "fc1", "fc2");
  if (in.value() != out.value()) b.part(Part::convolution, [&] { linear(b, "proj", in, out, true); });
}

Backbone backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), first = c.integer("embed_dim", 96);
  const Sides image = two(c, "image_size", 224), patch = two(c, "patch_size", 7), stride = two(c, "patch_stride", 4);
  const std::vector<Expr> depths = c.dimensions("depths", {2, 3, 16, 3});
  constexpr std::size_t most_stages = 32;
  if (depths.empty() || depths.size() > most_stages)
    c.refuse(ErrorCode::out_of_range, "depths", "must be at least 1 stage long, at most 32.", Refused::list_length);
  const std::vector<Expr> heads = stage_dimensions(c, "num_heads", {1, 2, 4, 8}, c.literal(depths.size()));
  const std::vector<Expr> all_widths = widths(c, first, depths.size());
  require_positive(stride.height);
  require_positive(stride.width);
  const Head head = b.architecture().head;
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "position_embeddings", area(grid(image, stride)), first);
    conv2d(b, "patch_embeddings.projection", channels, first, patch);
  });
  for (const Stage& s : stages(c, "encoder.stages", first, "embed_dim", all_widths, "depths", depths)) {
    const std::string index = digits(s.index);
    const Expr inner = c.scaled("mlp_ratio", 4.0, s.out, concat({"inner_sizes[", index, "]"}), concat({"f_", index}));
    b.scope(s.name, [&] {
      if (s.depth.value() > 0) b.repeat("layers", only(0), [&] { layer(b, s.in, s.out, heads[s.index], inner); });
      b.repeat("layers", between(c.literal(1), s.depth), [&] { layer(b, s.out, s.out, heads[s.index], inner); });
    });
  }
  std::vector<Expr> given{first};
  given.insert(given.end(), all_widths.begin(), all_widths.end());
  if (head == Head::backbone)
    for (const std::size_t i : tapped_stages(c, depths.size()))
      layer_norm(b, concat({"hidden_states_norms.", i == 0 ? "stem" : concat({"stage", digits(i)})}), given[i]);
  else
    layer_norm(b, "pooler.layernorm", given.back());
  return {.hidden = given.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

}  // namespace

extern const Family hiera{
    .model_type = "hiera",
    .summary = "Stages of layers that attend within units of patches.",
    .classes = {"Hiera", heads::base | heads::image | heads::backbone, "hiera"},
    .aliases = aliases,
    .backbone = backbone,
    .head = vision_head,
};

}  // namespace param_ledger
