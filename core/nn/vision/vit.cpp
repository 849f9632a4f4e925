#include "core/nn/vision/vit.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"

namespace param_ledger {

Sides grid(Sides image, Sides patch) {
  const Expr height = floor_divide(image.height, patch.height);
  const bool square = image.height == image.width && patch.height == patch.width;
  return {height, square ? height : floor_divide(image.width, patch.width)};
}

Expr area(Sides sides) { return sides.height == sides.width ? power(sides.height, 2) : sides.height * sides.width; }

Expr relative_positions(Sides window) {
  // For a window of 0 × 0, both factors are −1 in transformers, so their product is 1.
  if (window.height.decide() == 0 && window.width.decide() == 0) return window.height.node()->pool->literal(1);
  require_positive(window.height);
  require_positive(window.width);
  return area({2 * window.height - 1, window.height == window.width ? 2 * window.height - 1 : 2 * window.width - 1});
}

Expr Vit::patches() const {
  const Expr of_image = area(grid(image, patch));
  return frames ? floor_divide(duration, frames) * of_image : of_image;
}

Expr Vit::positions_count(Pool& pool) const {
  Expr count = patches();
  const Expr one = pool.literal(1);
  if (class_token) count = count + (class_tokens ? class_tokens : one);
  if (!more.empty()) count = count + (more_count ? more_count : one);
  return count;
}

Vit vit_fields(Config c, const VitType& type) {
  Vit m = type.layout;
  Attention& a = m.layers.attention;
  a.hidden = c.integer("hidden_size", type.sizes.hidden);
  m.layers.inner = type.sizes.inner > 0 ? c.integer("intermediate_size", type.sizes.inner) : c.integer("mlp_ratio", 4) * a.hidden;
  m.layers.n_layers = c.integer("num_hidden_layers", type.sizes.layers);
  a.heads = c.integer("num_attention_heads", type.sizes.heads, 1);
  const Expr share = floor_divide(a.hidden, a.heads);
  if (type.own_head_dim) a.head_dim = c.integer("head_dim", attribute.or_else(share));
  a.even_share = !type.own_head_dim;
  m.channels = c.integer("num_channels", 3);
  if (type.sizes.width > 0) {
    const std::vector<Expr> sides = c.dimensions("image_size", {type.sizes.side, type.sizes.width});
    if (sides.size() != 2) c.refuse(ErrorCode::out_of_range, "image_size", "must be a list of height and width.");
    m.image = {sides[0], sides[1]};
  } else if (type.sizes.side > 0) {
    m.image = c.sides("image_size", type.sizes.side);
  }
  if (type.sizes.patch > 0) m.patch = c.sides("patch_size", type.sizes.patch);
  if (type.switches != nullptr) type.switches(c, m);
  return m;
}

void vit_embeddings(Builder& b, const Vit& m) {
  const Expr d = m.layers.attention.hidden;
  const auto count = [](Expr given) { return given ? Size(given) : Size(1); };
  b.scope(Part::embedding, "embeddings", [&] {
    if (m.class_token) tokens(b, "cls_token", count(m.class_tokens), d);
    if (m.mask == MaskToken::flat) b.parameter("mask_token", {b.pool().literal(1), d}, StorageKind::table);
    if (m.mask == MaskToken::one || (m.mask == MaskToken::masked && b.architecture().head == Head::masked_image))
      tokens(b, "mask_token", 1, d);
    if (!m.more.empty()) tokens(b, m.more, count(m.more_count), d);
    if (m.registers) tokens(b, "register_tokens", m.registers, d);
    b.scope("patch_embeddings", [&] {
      if (m.frames)
        tubelet_embedding(b, "projection", m.channels, d, {m.frames, m.patch.height, m.patch.width});
      else
        patch_embedding(b, "projection", m.channels, d, m.patch);
    });
    if (m.positions) tokens(b, "position_embeddings", m.positions_count(b.pool()), d, TensorRole::position_embedding);
    if (m.sinusoids) record_block(b, {Mechanism::sinusoidal_positions}, "position_embeddings");
  });
}

BackboneOutput vit_model(Config c, Builder& b, const Vit& m) {
  const Expr d = m.layers.attention.hidden;
  const bool bare = b.architecture().head == Head::none;
  const Text rest = bare ? "" : m.layers_in;
  b.scope(rest, [&] { vit_embeddings(b, m); });
  vision_layers(b, m.layers);
  b.scope(rest, [&] {
    if (!m.last_norm.empty()) layer_norm(b, m.last_norm, d);
    if (m.pooler && bare)
      b.scope(Part::output_head, "pooler", [&] {
        const InBlock block(b, {Mechanism::pooler});
        linear(b, "dense", d, c.integer("pooler_output_size", unless_zero.or_else(d)), true);
      });
  });
  return layers_as_stages(b, d, m.layers.n_layers);
}

BackboneOutput layers_as_stages(Builder& b, Expr hidden, Expr n_layers) {
  constexpr Count most = 1000;
  const Count count = n_layers.decide() + 1;
  if (b.architecture().head != Head::backbone || count > most) return {.hidden = hidden};
  const std::vector<Expr> widths(static_cast<std::size_t>(count), hidden);
  return {.hidden = hidden, .stages = b.pool().keep(std::span<const Expr>(widths))};
}

void qkv_bias(Config c, Vit& m) { m.layers.attention.qkv_bias = c.flag("qkv_bias", true); }

}  // namespace param_ledger
