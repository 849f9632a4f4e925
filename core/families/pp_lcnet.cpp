// PP-LCNet: convolutions of each channel by itself and of 1 × 1, the last ones with gates of channels.
// Source: transformers, models/pp_lcnet.

#include "core/blocks/convolution.hpp"
#include "core/blocks/factors.hpp"
#include "core/heads.hpp"

namespace param_ledger {

namespace {

struct Layer {
  Count kernel, in, out;
  bool excites;
};
using Stages = std::vector<std::vector<Layer>>;

/// block_configs: for each stage its layers, each kernel, widths before and after, stride, and whether it has a gate.
Stages stages_of(Config c) {
  const Json given = c.peek("block_configs");
  c.consume("block_configs");
  if (!given || given.is_null()) {
    Stages out{{{3, 16, 32, false}},
               {{3, 32, 64, false}, {3, 64, 64, false}},
               {{3, 64, 128, false}, {3, 128, 128, false}},
               {{3, 128, 256, false}},
               {}};
    constexpr std::size_t alike = 5;
    for (std::size_t i = 0; i < alike; ++i) out[3].push_back({5, 256, 256, false});
    out[4] = {{5, 256, 512, true}, {5, 512, 512, true}};
    return out;
  }
  constexpr std::size_t stages = 5, entries = 5;
  Stages out;
  const auto number = [&](Json entry) {
    if (!entry.is(Json::Type::integer) || entry.negative()) c.refuse(ErrorCode::wrong_type, "block_configs", "must hold whole numbers.");
    return Count{entry.magnitude()};
  };
  if (given.size() != stages) c.refuse(ErrorCode::out_of_range, "block_configs", "must have 5 stages.", Refused::list_length);
  for (std::size_t i = 0; i < given.size(); ++i) {
    out.emplace_back();
    for (std::size_t j = 0; j < given[i].size(); ++j) {
      const Json layer = given[i][j];
      if (layer.size() != entries || !layer[4].is(Json::Type::boolean))
        c.refuse(ErrorCode::out_of_range, "block_configs", "must hold kernel, widths, stride and a switch of each layer.",
                 Refused::list_length);
      out.back().push_back({number(layer[0]), number(layer[1]), number(layer[2]), layer[4].boolean()});
    }
    if (out.back().empty()) c.refuse(ErrorCode::out_of_range, "block_configs", "must have a layer in each stage.", Refused::list_length);
  }
  return out;
}

Backbone backbone(Config c, Builder& b) {
  const double scale = c.number("scale", 1.0);
  const Expr divisor = c.integer("divisor", 8), stem = c.integer("stem_channels", 16), reduction = c.integer("reduction", 4, 1);
  const auto width = [&](Count base) {
    return rounded_width(c, digits(base), static_cast<double>(base) * scale, divisor.value(), divisor.value());
  };
  const Stages all_stages = stages_of(c);
  b.scope(Part::convolution, "encoder", [&] {
    conv_norm(b, "convolution", c.literal(3), width(stem.value()), 3);
    for (std::size_t i = 0; i < all_stages.size(); ++i)
      for (std::size_t j = 0; j < all_stages[i].size(); ++j)
        b.scope(concat({"blocks.", digits(i), ".layers.", digits(j)}), [&] {
          const Layer& m = all_stages[i][j];
          const Expr in = width(m.in), narrow = floor_divide(in, reduction);
          conv_norm(b, "depthwise_convolution", in, in, c.literal(m.kernel), {.groups = in});
          if (m.excites) {
            conv2d(b, "squeeze_excitation_module.convolutions.0", in, narrow, 1);
            conv2d(b, "squeeze_excitation_module.convolutions.2", narrow, in, 1);
          }
          conv_norm(b, "pointwise_convolution", in, width(m.out), 1);
        });
  });
  return {.hidden = width(all_stages.back().back().out)};
}

void head(Config c, Builder& b, const Backbone& m) {
  if (b.architecture().head != Head::image_classification) return;
  const Expr wide = c.integer("class_expand", 1280);
  b.part(Part::output_head, [&] { conv2d(b, "last_convolution", m.hidden, wide, 1, false); });
  classifier(c, b, "head", wide);
}

}  // namespace

extern const Family pp_lcnet{
    .model_type = "pp_lcnet",
    .summary = "Convolutions of each channel by itself and of 1 × 1.",
    .classes = {"PPLCNet", heads::image | heads::backbone, ""},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
