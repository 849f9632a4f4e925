#include "core/nn/vision/swin.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

void window_attention(Builder& b, const Swin& m, Expr d, Expr heads) {
  if (m.type.kept_index || m.type.second) require_multiple(d, heads);
  attention(b, "attention",
            {.hidden = d,
             .heads = heads,
             .even_share = false,
             .qkv_bias = m.qkv_bias,
             .key_bias = !m.type.second,
             .output_bias = true,
             .scaled_by_head_dim = false,
             .q = "self.query",
             .k = "self.key",
             .v = "self.value",
             .o = "output.dense"});
  b.scope(Part::attention, "attention.self", [&] {
    if (m.type.second) {
      constexpr Count inner = 512;
      const Expr one = b.pool().literal(1), width = b.pool().literal(inner);
      b.parameter("logit_scale", {heads, one, one});
      linear(b, "continuous_position_bias_mlp.0", b.pool().literal(2), width, true);
      linear(b, "continuous_position_bias_mlp.2", width, heads);
      return;
    }
    b.parameter("relative_position_bias_table", {relative_positions({m.window, m.window}), heads}, StorageKind::table);
    if (m.type.kept_index) b.buffer("relative_position_index", {power(m.window, 2), power(m.window, 2)});
  });
}

}  // namespace

Expr Swin::width_of(std::size_t stage) const { return times_power_of_two(width, std::min(stage, depths.size() - 1)); }

Swin swin_fields(Config c, const SwinType& type) {
  Swin m{.type = type, .channels = c.integer("num_channels", 3), .width = c.integer("embed_dim", type.width)};
  m.image = c.sides("image_size", type.side);
  m.patch = c.sides("patch_size", 4);
  m.depths = c.dimensions("depths", {2, 2, type.third, 2});
  m.heads = stage_dimensions(c, "num_heads", {type.heads, 2 * type.heads, 4 * type.heads, 8 * type.heads}, c.literal(m.depths.size()));
  m.window = c.integer("window_size", type.window);
  m.qkv_bias = c.flag("qkv_bias", true);
  m.positions = c.flag("use_absolute_embeddings", false);
  require_stages(c, m.depths);
  for (std::size_t i = 0; i < m.depths.size(); ++i) {
    m.inner.push_back(stage_inner_width(c, i, times_power_of_two(m.width, i), 4.0));
  }
  return m;
}

void swin_layer(Builder& b, const Swin& m, Expr d, Expr heads, Expr inner) {
  require_positive(heads);
  layer_norm(b, "layernorm_before", d);
  window_attention(b, m, d, heads);
  layer_norm(b, "layernorm_after", d);
  mlp(b, "", d, inner, true, "intermediate.dense", "output.dense");
}

void swin_stages(Builder& b, const Swin& m) {
  for (std::size_t i = 0; i < m.depths.size(); ++i) {
    const Expr d = m.width_of(i);
    b.scope(concat({"layers.", digits(i)}), [&] {
      b.repeat("blocks", all(m.depths[i]), [&] { swin_layer(b, m, d, m.heads[i], m.inner[i]); });
      if (i + 1 == m.depths.size()) return;
      b.scope(Part::adapter, "downsample", [&] {
        const InBlock block(b, {Mechanism::patch_merging});
        linear(b, "reduction", 4 * d, 2 * d);
        layer_norm(b, "norm", m.type.second ? 2 * d : 4 * d);
      });
    });
  }
}

namespace {

/// Records the model without a head. Swin 2 has no final norm when it is used as a backbone.
void swin_body(Builder& b, const Swin& m, Head head) {
  b.scope(Part::embedding, "embeddings", [&] {
    if (head == Head::masked_image) tokens(b, "mask_token", 1, m.width);
    patch_embedding(b, "patch_embeddings.projection", m.channels, m.width, m.patch);
    const Expr patches = area(grid(m.image, m.patch));
    if (m.positions)
      tokens(b, "position_embeddings", m.type.position_of_class ? patches + 1 : patches, m.width, TensorRole::position_embedding);
    layer_norm(b, "norm", m.width);
  });
  b.scope("encoder", [&] { swin_stages(b, m); });
  const bool as_backbone = head == Head::backbone && !m.type.wrapped;
  if (m.type.last_norm && !(as_backbone && m.type.second))
    layer_norm(b, as_backbone ? "swin.layernorm" : "layernorm", m.width_of(m.depths.size() - 1));
}

}  // namespace

BackboneOutput swin_model(Config c, Builder& b, const SwinType& type) {
  const Swin m = swin_fields(c, type);
  const Head head = b.architecture().head;
  const bool wrapped = head == Head::backbone && type.wrapped;
  b.scope(wrapped ? "model" : "", [&] { swin_body(b, m, head); });
  std::vector<Expr> given{m.width};
  for (std::size_t i = 0; i < m.depths.size(); ++i) given.push_back(m.width_of(i));
  std::vector<std::size_t> taken;
  if (head == Head::backbone) taken = tapped_stages(c, m.depths.size());
  if (head == Head::backbone && type.given_from > 0) {
    taken.clear();
    for (std::size_t i = type.given_from; i <= m.depths.size(); ++i) taken.push_back(i);
  }
  if (wrapped) {
    if (!taken.empty() && taken.front() == 0) c.refuse(ErrorCode::out_of_range, "out_features", "must not name the stem here.");
    for (std::size_t i = 1; i < given.size(); ++i) layer_norm(b, concat({"hidden_states_norms.", digits(i - 1)}), given[i]);
  } else if (!type.second)
    for (const std::size_t i : taken)
      layer_norm(b, concat({"hidden_states_norms.", i == 0 ? "stem" : concat({"stage", digits(i)})}), given[i]);
  return {.hidden = given.back(), .stages = b.pool().keep(std::span<const Expr>(given))};
}

void swin_head(Config c, Builder& b, const BackboneOutput& m) {
  constexpr std::uint64_t stride = 32;
  if (b.architecture().head == Head::masked_image) {
    const Json said = c.peek("num_layers");  // here transformers derives the width from num_layers, regardless of the number of stages
    if (said && (!said.is(Json::Type::integer) || said.magnitude() + 1 != m.stages.size()))
      c.refuse(ErrorCode::inconsistent, "num_layers", "must be the number of stages.");
    return masked_image_decoder(c, b, m.hidden, stride);
  }
  vision_head(c, b, m);
}

}  // namespace param_ledger
