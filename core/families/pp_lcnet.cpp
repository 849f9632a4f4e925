// PP-LCNet: depthwise and 1 × 1 convolutions, and squeeze-and-excitation in some layers. Versions 3 and 4 exist only as backbones for text
// detection and recognition. Source: transformers, models/pp_lcnet, pp_lcnet_v3, pp_lcnet_v4.

#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

struct Layer {
  Count kernel, in, out;
  bool excites;
  bool keeps;  ///< whether the stride is 1, so that the resolution stays the same
};
using Stages = std::vector<std::vector<Layer>>;

/// Reads block_configs: for each stage its layers, each with kernel, input and output width, stride, and whether it has
/// squeeze-and-excitation.
Stages stages_of(Config c, Stages fallback) {
  const Json given = c.peek("block_configs");
  c.consume("block_configs");
  if (!given || given.is_null()) return fallback;
  constexpr std::size_t entries = 5;
  Stages out;
  const auto number = [&](Json entry) {
    if (!entry.is(Json::Type::integer) || entry.negative()) c.refuse(ErrorCode::wrong_type, "block_configs", "must contain whole numbers.");
    return Count{entry.magnitude()};
  };
  if (given.size() != fallback.size())
    c.refuse(ErrorCode::out_of_range, "block_configs", concat({"must have ", digits(fallback.size()), " stages."}), Refused::list_length);
  for (std::size_t i = 0; i < given.size(); ++i) {
    out.emplace_back();
    for (std::size_t j = 0; j < given[i].size(); ++j) {
      const Json layer = given[i][j];
      if (layer.size() != entries || !layer[4].is(Json::Type::boolean))
        c.refuse(ErrorCode::out_of_range, "block_configs", "must give kernel size, widths, stride and a switch for each layer.",
                 Refused::list_length);
      out.back().push_back({number(layer[0]), number(layer[1]), number(layer[2]), layer[4].boolean(),
                            layer[3].is(Json::Type::integer) && number(layer[3]) == 1});
    }
    if (out.back().empty()) c.refuse(ErrorCode::out_of_range, "block_configs", "must have a layer in each stage.", Refused::list_length);
  }
  return out;
}

/// The default stages of PP-LCNet or, if `third`, of its version 3, which has two more layers in the last stage and one fewer in the stage
/// before it.
Stages usual_stages(bool third) {
  Stages out{{{3, 16, 32, false, true}},
             {{3, 32, 64, false, false}, {3, 64, 64, false, true}},
             {{3, 64, 128, false, false}, {3, 128, 128, false, true}},
             {{3, 128, 256, false, false}},
             {{5, 256, 512, true, false}, {5, 512, 512, true, true}}};
  out[3].insert(out[3].end(), third ? 4 : 5, {5, 256, 256, false, true});
  if (third) out[4].insert(out[4].end(), 2, {5, 512, 512, false, true});
  return out;
}

Stages fourth_stages() {
  Stages out{{{3, 96, 96, true, true}},
             {{3, 96, 96, false, true}, {3, 96, 96, false, true}},
             {{3, 96, 192, false, false}},
             {{3, 192, 384, false, false}, {3, 384, 384, true, true}, {3, 384, 384, false, true}}};
  constexpr int pairs = 3;
  for (int i = 0; i < pairs; ++i)
    for (const bool excites : {true, false}) out[2].push_back({3, 192, 192, excites, true});
  return out;
}

/// Records squeeze-and-excitation: two convolutions.
void gate(Builder& b, Text name, Expr in, Expr reduction) {
  const Expr narrow = floor_divide(in, reduction);
  b.scope(name, [&] {
    conv2d(b, "convolutions.0", in, narrow, 1);
    conv2d(b, "convolutions.2", narrow, in, 1);
  });
}

/// Records one scale and one shift for all channels.
void affine(Builder& b, Text name) {
  b.scope(name, [&] {
    for (const Text one : {"scale", "bias"}) b.parameter(one, {b.pool().literal(1)});
  });
}

/// Records a reparameterizable convolution: the sum of several branches and, if stride and widths permit, of the batch-normalised input.
/// Two layers with one scale and one shift each follow.
void summed(Builder& b, Text name, Expr in, Expr out, Count kernel, Expr branches, bool by_channel, bool keeps) {
  const ConvNorm m{.groups = by_channel ? in : Expr{}};
  b.scope(name, [&] {
    if (keeps && in.decide() == out.decide()) batch_norm(b, "identity", in);
    b.repeat("conv_symmetric", all(branches), [&] { conv_norm(b, "", in, out, b.pool().literal(kernel), m); });
    if (kernel > 1) conv_norm(b, "conv_small_symmetric", in, out, 1, m);
    affine(b, "lab");
    affine(b, "act.lab");
  });
}

/// The version of the network, and the defaults of its model type or of a model that contains it as its backbone.
struct Unsaid {
  bool third = false;
  double scale = 1.0;
  std::uint64_t divisor = 8;
};
constexpr Unsaid first_version{}, third_version{.third = true}, of_readers{.third = true, .scale = 0.75, .divisor = 16};

template <const Unsaid& unsaid>
BackboneOutput backbone(Config c, Builder& b) {
  const double scale = c.number("scale", unsaid.scale);
  const Expr divisor = c.integer("divisor", unsaid.divisor), stem = c.integer("stem_channels", 16),
             reduction = c.integer("reduction", 4, 1);
  const Expr branches = unsaid.third ? c.integer("conv_symmetric_num", 4) : Expr{};
  const auto width = [&](Count base) {
    return rounded_width(c, digits(base), static_cast<double>(base) * scale, {divisor.decide(), divisor.decide(), "scale", "divisor"});
  };
  const Stages all_stages = stages_of(c, usual_stages(unsaid.third));
  b.scope(Part::convolution, "encoder", [&] {
    conv_norm(b, "convolution", c.literal(3), width(stem.decide()), 3);
    for (std::size_t i = 0; i < all_stages.size(); ++i)
      for (std::size_t j = 0; j < all_stages[i].size(); ++j)
        b.scope(concat({"blocks.", digits(i), ".layers.", digits(j)}), [&] {
          const Layer& m = all_stages[i][j];
          const Expr in = width(m.in), out = width(m.out);
          if (unsaid.third)
            summed(b, "depthwise_convolution", in, in, m.kernel, branches, true, m.keeps);
          else
            conv_norm(b, "depthwise_convolution", in, in, c.literal(m.kernel), {.groups = in});
          if (m.excites) gate(b, "squeeze_excitation_module", in, reduction);
          if (unsaid.third)
            summed(b, "pointwise_convolution", in, out, 1, branches, false, true);
          else
            conv_norm(b, "pointwise_convolution", in, out, 1);
        });
  });
  return {.hidden = width(all_stages.back().back().out)};
}

constexpr std::string_view stems[] = {"large", "small"};

BackboneOutput fourth_backbone(Config c, Builder& b) {
  const std::vector<Expr> stem = c.dimensions("stem_channels", {3, 48, 96});
  const Expr reduction = c.integer("reduction", 4, 1), two = c.literal(2);
  const bool large = c.text("stem_type", "large", stems) == "large", shifts = c.flag("use_learnable_affine_block", false);
  if (stem.size() < 3) c.refuse(ErrorCode::out_of_range, "stem_channels", "must have 3 entries.", Refused::list_length);
  const Stages all_stages = stages_of(c, fourth_stages());
  b.scope(Part::embedding, "encoder.convolution", [&] {
    const Expr half = floor_divide(stem[1], two);
    const auto layer = [&](Text name, Expr in, Expr out, int kernel) {
      conv_norm(b, name, in, out, kernel);
      if (large && shifts) affine(b, concat({name, ".lab"}));
    };
    if (!large) {
      layer("conv1", stem[0], stem[1], 3);
      return layer("conv2", stem[1], stem[2], 3);
    }
    layer("stem1", stem[0], stem[1], 3);
    layer("stem2a", stem[1], half, 2);
    layer("stem2b", half, stem[1], 2);
    layer("stem3", 2 * stem[1], stem[1], 3);
    layer("stem4", stem[1], stem[2], 1);
  });
  for (std::size_t i = 0; i < all_stages.size(); ++i)
    for (std::size_t j = 0; j < all_stages[i].size(); ++j)
      b.scope(Part::convolution, concat({"encoder.blocks.", digits(i), ".blocks.", digits(j)}), [&] {
        const Layer& m = all_stages[i][j];
        const Expr in = c.literal(m.in), out = c.literal(m.out);
        if (m.keeps && m.in == m.out)
          depthwise_conv2d(b, "token_conv", in, c.literal(m.kernel));
        else
          conv_norm(b, "token_conv", in, in, c.literal(m.kernel), {.groups = in});
        if (m.excites) gate(b, "token_squeeze_excitation", in, reduction);
        conv_norm(b, "channel_conv1", in, 2 * in, 1);
        conv_norm(b, "channel_conv2", 2 * in, out, 1);
      });
  return {.hidden = c.literal(all_stages.back().back().out)};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::image_classification) return;
  const Expr wide = c.integer("class_expand", 1280);
  b.part(Part::output_head, [&] { conv2d(b, "last_convolution", m.hidden, wide, 1, false); });
  classifier(c, b, "head", wide);
}

}  // namespace

extern const Family pp_lcnet{
    .model_type = "pp_lcnet",
    .summary = "Lightweight ConvNet with depthwise separable convolutions and squeeze-and-excitation.",
    .classes = {"PPLCNet", heads::image | heads::backbone, ""},
    .backbone = backbone<first_version>,
    .head = head,
};
extern const Family pp_lcnet_v3{.model_type = "pp_lcnet_v3", .backbone = backbone<third_version>};
extern const Family pp_lcnet_v3_of_readers{.model_type = "pp_lcnet_v3", .backbone = backbone<of_readers>};
extern const Family pp_lcnet_v4{.model_type = "pp_lcnet_v4", .backbone = fourth_backbone};

}  // namespace param_ledger
