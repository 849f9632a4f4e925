#include "core/nn/vision/dpt_neck.hpp"

#include <algorithm>

#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/width_multipliers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

void reassemble_stage(Config c, Builder& b, Expr in, const std::vector<Expr>& widths, bool project, std::size_t first) {
  const std::vector<double> factors = numbers(c, "reassemble_factors", {4, 2, 1, 0.5});
  const Expr three = c.literal(3);
  b.tower(Tower::projector, "neck.reassemble_stage", [&] {
    for (std::size_t i = first; i < std::min(widths.size(), factors.size()); ++i)
      b.scope(concat({"layers.", digits(i)}), [&] {
        const Expr width = widths[i];
        conv2d(b, "projection", in, width, 1);
        if (factors[i] > 1) {
          if (factors[i] != static_cast<double>(static_cast<std::uint64_t>(factors[i])))
            c.refuse(ErrorCode::out_of_range, "reassemble_factors", "must be whole numbers if they are greater than 1.");
          transposed_conv2d(b, "resize", width, width, c.literal(static_cast<std::uint64_t>(factors[i])));
        }
        if (factors[i] < 1) conv2d(b, "resize", width, width, three);
      });
    if (project)
      for (std::size_t i = first; i < widths.size(); ++i) linear(b, concat({"readout_projects.", digits(i), ".0"}), 2 * in, in, true);
  });
}

Fusion fusion_switches(Config c) {
  Fusion m{.normed = c.flag("use_batch_norm_in_fusion_residual", false, Null::allowed)};
  const Json given = c.peek("use_bias_in_fusion_residual");
  m.bias =
      given.is_null() ? (c.consume("use_bias_in_fusion_residual"), !m.normed) : c.derived_flag("use_bias_in_fusion_residual", !m.normed);
  return m;
}

void fused_levels(Builder& b, Expr d, const std::vector<Expr>& widths, const Fusion& m) {
  b.tower(Tower::projector, "neck", [&] {
    for (std::size_t i = 0; i < widths.size(); ++i) conv2d(b, concat({"convs.", digits(i)}), widths[i], d, 3, false);
    b.repeat("fusion_stage.layers", all(b.pool().literal(widths.size())), [&] {
      conv2d(b, "projection", d, d, 1);
      for (const Text name : {"residual_layer1", "residual_layer2"})
        b.scope(name, [&] {
          for (const Text number : {"1", "2"}) {
            conv2d(b, concat({"convolution", number}), d, d, 3, m.bias);
            if (m.normed) batch_norm(b, concat({"batch_norm", number}), d);
          }
        });
      if (m.more != nullptr) m.more(b, d);
    });
  });
}

}  // namespace param_ledger
