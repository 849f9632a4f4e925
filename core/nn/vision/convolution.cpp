#include "core/nn/vision/convolution.hpp"

#include <algorithm>

#include "core/support/text.hpp"

namespace param_ledger {

void conv_norm(Builder& b, Text name, Expr in, Expr out, Kernel kernel, const ConvNorm& m) {
  b.scope(name, [&] {
    conv2d(b, m.convolution, m.groups ? per_group(in, m.groups) : in, out, kernel, m.bias);
    if (m.normed) batch_norm(b, m.norm, out);
  });
}

namespace {

void require_entries(Config c, Text field, const std::vector<Expr>& list, Expr count) {
  if (list.size() < count.decide())
    c.refuse(ErrorCode::inconsistent, field, concat({"must have an entry for each of the ", digits(count.decide()), " stages."}));
}

}  // namespace

std::vector<Expr> stage_dimensions(Config c, Text name, std::initializer_list<std::uint64_t> fallback, Expr count) {
  std::vector<Expr> out = c.dimensions(name, fallback);
  require_entries(c, name, out, count);
  return out;
}

void require_stages(Config c, const std::vector<Expr>& depths) {
  constexpr std::size_t most_stages = 32;
  if (depths.empty() || depths.size() > most_stages)
    c.refuse(ErrorCode::out_of_range, "depths", "must have 1 to 32 stages.", Refused::list_length);
}

Expr stage_inner_width(Config c, std::size_t stage, Expr width, double ratio) {
  const std::string number = digits(stage);
  return c.scaled("mlp_ratio", ratio, width, concat({"inner_sizes[", number, "]"}), concat({"f_", number}));
}

std::vector<Stage> stages(Config c, Text name, Expr in, Text widths_field, const std::vector<Expr>& widths, Text depths_field,
                          const std::vector<Expr>& depths, Expr count) {
  if (widths.empty()) c.refuse(ErrorCode::out_of_range, widths_field, "must have at least 1 entry.", Refused::list_length);
  if (depths.empty()) c.refuse(ErrorCode::out_of_range, depths_field, "must have at least 1 entry.", Refused::list_length);
  std::size_t size = std::min(widths.size(), depths.size());
  if (count) {
    require_entries(c, widths_field, widths, count);
    require_entries(c, depths_field, depths, count);
    size = static_cast<std::size_t>(count.decide());
  }
  std::vector<Stage> out;
  for (std::size_t i = 0; i < size; ++i) {
    out.push_back({i, concat({name, ".", digits(i)}), in, widths[i], depths[i]});
    in = widths[i];
  }
  return out;
}

std::vector<std::size_t> tapped_stages(Config c, std::size_t count) {
  const auto names = c.words("out_features");
  const auto indices = c.integers("out_indices");
  std::vector<std::size_t> by_name, by_index;
  for (const std::string_view name : names.value_or(std::vector<std::string_view>{})) {
    std::size_t i = 0;
    while (i <= count && name != (i == 0 ? "stem" : concat({"stage", digits(i)}))) ++i;
    by_name.push_back(i);
  }
  for (const std::int64_t i : indices.value_or(std::vector<std::int64_t>{}))
    by_index.push_back(static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(count) + 1 : i));
  for (const auto& [field, list] : {std::pair{"out_features", &by_name}, {"out_indices", &by_index}})
    if (std::any_of(list->begin(), list->end(), [&](std::size_t i) { return i > count; }) ||
        std::adjacent_find(list->begin(), list->end(), std::greater_equal<>()) != list->end())
      c.refuse(ErrorCode::out_of_range, field, concat({"must name stages; their number is ", digits(count), ", in their order."}));
  if (names && indices && by_name != by_index)
    c.refuse(ErrorCode::inconsistent, "out_features", "and out_indices must name the same stages.");
  if (names) return by_name;
  if (indices) return by_index;
  return {count};
}

void resnet_stem(Builder& b, const ResNet& m) {
  b.part(Part::convolution, [&] {
    if (m.timm)
      conv_norm(b, "", m.channels, m.stem, 7, {.convolution = "conv1", .norm = "bn1"});
    else
      conv_norm(b, "embedder.embedder", m.channels, m.stem, 7);
  });
}

void resnet_stage(Builder& b, const ResNet& m, const Stage& stage) {
  const Expr out = stage.out, inner = m.bottleneck ? floor_divide(out, b.pool().literal(4)) : out;
  const auto convolution = [&](int i, Expr from, Expr to, int kernel) {
    const std::string number = digits(static_cast<Count>(m.timm ? i + 1 : i));
    if (m.timm)
      conv_norm(b, "", from, to, kernel, {.convolution = concat({"conv", number}), .norm = concat({"bn", number})});
    else
      conv_norm(b, concat({"layer.", number}), from, to, kernel);
  };
  /// Records what follows the first convolution of a layer.
  const auto rest = [&] {
    if (!m.bottleneck) return convolution(1, out, out, 3);
    convolution(1, inner, inner, 3);
    convolution(2, inner, out, 1);
  };
  const bool shortcut = stage.in.decide() != out.decide() || stage.index > 0 || m.shrinks_first;
  const int kernel = m.bottleneck ? 1 : 3;
  b.scope(Part::convolution, stage.name, [&] {
    b.repeat(m.timm ? "" : "layers", only(0), [&] {
      if (shortcut && m.timm) conv_norm(b, "downsample", stage.in, out, 1, {.convolution = "0", .norm = "1"});
      if (shortcut && !m.timm) conv_norm(b, "shortcut", stage.in, out, 1);
      convolution(0, stage.in, inner, kernel);
      rest();
    });
    b.repeat(m.timm ? "" : "layers", between(b.pool().literal(1), stage.depth), [&] {
      convolution(0, out, inner, kernel);
      rest();
    });
  });
}

std::vector<Expr> timm_resnet(Config c, Builder& b, Text name, std::string_view variant, Expr channels, std::size_t count) {
  struct Variant {
    std::string_view name;
    bool bottleneck;
    int depths[4];
  };
  static constexpr Variant variants[] = {{"resnet18", false, {2, 2, 2, 2}},
                                         {"resnet34", false, {3, 4, 6, 3}},
                                         {"resnet50", true, {3, 4, 6, 3}},
                                         {"resnet101", true, {3, 4, 23, 3}},
                                         {"resnet152", true, {3, 8, 36, 3}}};
  const auto* const found = std::find_if(std::begin(variants), std::end(variants), [&](const Variant& v) { return v.name == variant; });
  if (found == std::end(variants))
    c.refuse(ErrorCode::unsupported, "backbone", "names a network of timm that cannot be counted here, only resnet18 to resnet152.");
  const auto number = [&](int n) { return c.literal(static_cast<Count>(n)); };
  const ResNet m{.channels = channels, .stem = number(64), .bottleneck = found->bottleneck, .timm = true};
  std::vector<Expr> widths;
  b.scope(name, [&] {
    resnet_stem(b, m);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 4); ++i) {
      const Expr in = i == 0 ? m.stem : widths.back();
      widths.push_back(number((found->bottleneck ? 256 : 64) << i));
      resnet_stage(b, m, {i, concat({"layer", digits(i + 1)}), in, widths.back(), number(found->depths[i])});
    }
  });
  return widths;
}

}  // namespace param_ledger
