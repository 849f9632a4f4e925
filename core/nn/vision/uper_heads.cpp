#include "core/nn/vision/uper_heads.hpp"

#include <algorithm>

#include "core/nn/heads.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

void uper_heads(Config c, Builder& b, const std::vector<Expr>& in, Expr width, Expr taken, const UperNames& names) {
  const auto both = [&](Text name, Expr from, Expr to, int kernel) { conv_norm(b, name, from, to, kernel, names.convolution); };
  const std::size_t scales = c.integers("pool_scales", {1, 2, 3, 6}).size();
  const Expr labels = num_labels(c), d = c.integer("auxiliary_channels", 256), depth = c.integer("auxiliary_num_convs", 1);
  const bool second = c.flag("use_auxiliary_head", true), joined = c.flag("auxiliary_concat_input", false);
  const Expr pools = c.literal(scales);
  b.scope(Part::output_head, "decode_head", [&] {
    conv2d(b, "classifier", width, labels, 1);
    b.repeat(names.pooling, all(pools), [&] { both(names.pooled, in.back(), width, 1); });
    both(names.joined, in.back() + pools * width, width, 3);
    for (std::size_t i = 0; i + 1 < in.size(); ++i) both(concat({"lateral_convs.", digits(i)}), in[i], width, 1);
    b.repeat("fpn_convs", all(c.literal(in.size() - 1)), [&] { both("", width, width, 3); });
    both("fpn_bottleneck", in.size() * width, width, 3);
  });
  if (!second) return;
  constexpr std::size_t third = 2;
  const Expr from = taken ? taken : in[std::min(third, in.size() - 1)];
  b.scope(Part::output_head, "auxiliary_head", [&] {
    b.repeat("convs", first(c.literal(1), depth), [&] { both("", from, d, 3); });
    b.repeat("convs", between(c.literal(1), depth), [&] { both("", d, d, 3); });
    if (joined) both("conv_cat", from + d, d, 3);
    conv2d(b, "classifier", d, labels, 1);
  });
}

}  // namespace param_ledger
