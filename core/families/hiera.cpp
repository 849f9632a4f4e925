// Hiera: stages of layers. In the stages that masked_unit_attention selects, attention is limited to mask units. The first layer of each
// later stage changes the number of channels by the factor embed_dim_multiplier, and in the first num_query_pool of these stages it also
// pools the positions. Source: transformers, models/hiera.

#include <cmath>

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vit.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "num_layers"}};

/// Reads a list with a height and a width.
Sides two(Config c, Text name, std::uint64_t fallback) {
  const std::vector<Expr> list = c.dimensions(name, {fallback, fallback});
  if (list.size() != 2) c.refuse(ErrorCode::out_of_range, name, "must be a list of height and width.", Refused::list_length);
  return {list[0], list[1]};
}

/// The width of each stage: embed_dim, multiplied by embed_dim_multiplier (2 by default) from stage to stage.
std::vector<Expr> widths(Config c, Expr first, std::size_t count) {
  const double factor = c.number("embed_dim_multiplier", 2.0);
  std::vector<Expr> out{first};
  while (out.size() < count)
    out.push_back(multiplied_width(c, "embed_dim_multiplier", std::pow(factor, static_cast<double>(out.size())), first,
                                   concat({"stage_widths[", digits(out.size()), "]"}), concat({"d_", digits(out.size())})));
  return out;
}

void layer(Builder& b, Expr in, Expr out, Expr heads, Expr inner) {
  require_positive(heads);
  require_positive(floor_divide(out, heads));  // the head dimension must not be 0, because scores are divided by its square root
  layer_norm(b, "layernorm_before", in);
  b.scope(Part::attention, "attn", [&] {
    linear(b, "qkv", in, 3 * out, true, TensorRole::query_key_value);
    linear(b, "proj", out, out, true, TensorRole::output);
  });
  layer_norm(b, "layernorm_after", out);
  mlp(b, "mlp", out, inner, true, "fc1", "fc2");
  if (in.decide() == out.decide()) return;
  b.part(Part::adapter, [&] {
    const InBlock block(b, {Mechanism::stage_shortcut});
    linear(b, "proj", in, out, true);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3), first = c.integer("embed_dim", 96);
  const Sides image = two(c, "image_size", 224), patch = two(c, "patch_size", 7), stride = two(c, "patch_stride", 4);
  const std::vector<Expr> depths = c.dimensions("depths", {2, 3, 16, 3});
  require_stages(c, depths);
  const std::vector<Expr> heads = stage_dimensions(c, "num_heads", {1, 2, 4, 8}, c.literal(depths.size()));
  const std::vector<Expr> all_widths = widths(c, first, depths.size());
  require_positive(stride.height);
  require_positive(stride.width);
  const Head head = b.architecture().head;
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "position_embeddings", area(grid(image, stride)), first, TensorRole::position_embedding);
    patch_embedding(b, "patch_embeddings.projection", channels, first, patch);
  });
  for (const Stage& s : stages(c, "encoder.stages", first, "embed_dim", all_widths, "depths", depths)) {
    const Expr inner = stage_inner_width(c, s.index, s.out, 4.0);
    b.scope(s.name, [&] {
      if (s.depth.decide() > 0) b.repeat("layers", only(0), [&] { layer(b, s.in, s.out, heads[s.index], inner); });
      b.repeat("layers", between(c.literal(1), s.depth), [&] { layer(b, s.out, s.out, heads[s.index], inner); });
    });
  }
  std::vector<Expr> given{first};
  given.insert(given.end(), all_widths.begin(), all_widths.end());
  if (head == Head::backbone)
    for (const std::size_t i : tapped_stages(c, depths.size()))
      layer_norm(b, concat({"hidden_states_norms.", i == 0 ? "stem" : concat({"stage", digits(i)})}), given[i]);
  else if (head != Head::other)
    layer_norm(b, "pooler.layernorm", given.back());
  return {.hidden = given.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

/// Records the decoder that reconstructs masked patches from the outputs of several stages. Convolutions bring these outputs to the last
/// stage's resolution.
void paint(Config c, Builder& b, const BackboneOutput& m) {
  const Expr pools = c.integer("num_query_pool", 3), d = c.integer("decoder_hidden_size", required(512)),
             n_layers = c.integer("decoder_depth", required(8)), heads = c.integer("decoder_num_heads", required(16));
  const Sides step = two(c, "query_stride", 2), unit = two(c, "masked_unit_size", 8);
  const Sides image = two(c, "image_size", 224), stride = two(c, "patch_stride", 4), patches = grid(image, stride);
  if (pools.decide() + 1 >= m.stages.size()) c.refuse(ErrorCode::out_of_range, "num_query_pool", "must be less than the number of stages.");
  for (const Expr side : {step.height, step.width}) require_positive(side);
  const auto pooled = [](Expr side, Expr by, std::size_t times) { return floor_divide(side, power(by, times)); };
  const auto n = static_cast<std::size_t>(pools.decide());
  const Sides last{pooled(unit.height, step.height, n), pooled(unit.width, step.width, n)};
  for (const Expr side : {last.height, last.width}) require_positive(side);
  layer_norm(b, "encoder_norm", m.hidden);
  b.tower(Tower::projector, "", [&] {
    for (std::size_t i = 0; i < n; ++i)
      conv2d(b, concat({"multiscale_fusion.multi_scale_fusion_heads.", digits(i)}), m.stages[i + 1], m.hidden,
             Sides{floor_divide(pooled(unit.height, step.height, i), last.height),
                   floor_divide(pooled(unit.width, step.width, i), last.width)});
  });
  b.scope("decoder", [&] {
    b.tower(Tower::projector, "", [&] { linear(b, "decoder_embeddings", m.hidden, d, true); });
    b.part(Part::embedding, [&] {
      tokens(b, "mask_token", 1, d);
      tokens(b, "decoder_position_embeddings", pooled(patches.height, step.height, n) * pooled(patches.width, step.width, n), d);
    });
    b.repeat("decoder_block.layers", all(n_layers),
             [&] { layer(b, d, d, heads, c.scaled("mlp_ratio", 4.0, d, "decoder_inner_size", "f_d")); });
    layer_norm(b, "decoder_norm", d);
    b.part(Part::output_head,
           [&] { linear(b, "decoder_pred", d, power(stride.width * power(step.width, n), 2) * c.integer("num_channels", 3), true); });
  });
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::other) return paint(c, b, m);
  vision_head(c, b, m);
}

constexpr Architecture pretraining[] = {{"HieraForPreTraining", Head::other, "hiera"}};

}  // namespace

extern const Family hiera{
    .model_type = "hiera",
    .summary = "Hierarchical vision transformer with mask unit attention.",
    .classes = {"Hiera", heads::base | heads::image | heads::backbone, "hiera", {}, pretraining},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
