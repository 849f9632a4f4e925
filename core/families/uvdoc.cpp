// UVDoc: flattens the photo of a document by predicting a grid of points, with residual layers and dilated convolutions. Source:
// transformers, models/uvdoc.

#include "core/config/ignored_fields.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

/// A list of lists of integers and booleans. true is represented as 1.
using Rows = std::vector<std::vector<Count>>;

Rows rows_of(Config c, Text field, Json given, std::size_t entries) {
  Rows out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    out.emplace_back();
    for (std::size_t j = 0; j < given[i].size(); ++j) {
      const Json entry = given[i][j];
      const bool one = entry.is(Json::Type::boolean);
      if (!one && (!entry.is(Json::Type::integer) || entry.negative()))
        c.refuse(ErrorCode::wrong_type, field, "must contain lists of whole numbers.");
      out.back().push_back(one ? Count{entry.boolean()} : Count{entry.magnitude()});
    }
    if (out.back().size() != entries)
      c.refuse(ErrorCode::out_of_range, field, concat({"must contain lists of ", digits(entries), "."}), Refused::list_length);
  }
  return out;
}

/// Reads a field with one list of lists for each stage.
std::vector<Rows> stages_of(Config c, Text field, std::size_t entries, std::vector<Rows> fallback) {
  const Json given = c.peek(field);
  c.consume(field);
  if (!given) return fallback;
  if (!given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, field, "must be a list of lists.");
  std::vector<Rows> out;
  for (std::size_t i = 0; i < given.size(); ++i) out.push_back(rows_of(c, field, given[i], entries));
  return out;
}

Rows rows_of(Config c, Text field, std::size_t entries, Rows fallback) {
  const Json given = c.peek(field);
  c.consume(field);
  if (!given) return fallback;
  if (!given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, field, "must be a list of lists.");
  return rows_of(c, field, given, entries);
}

/// The default layers of each stage: input and output width, dilation, and whether the layer downsamples.
std::vector<Rows> usual_stages() {
  std::vector<Rows> out;
  constexpr std::size_t depths[] = {3, 4, 6};
  for (std::size_t i = 0; i < 3; ++i) {
    const Count width = Count{32} << i;
    out.push_back({{i == 0 ? width : width / 2, width, 1, i > 0}});
    while (out.back().size() < depths[i]) out.back().push_back({width, width, 3, 0});
  }
  return out;
}

/// Records the convolutional network. Returns the number of branches in its bridge.
std::size_t network(Config c, Builder& b) {
  constexpr std::size_t of_stem = 2, of_layer = 4, of_bridge = 2;
  const Expr kernel = c.integer("kernel_size", 5);
  const Rows stem = rows_of(c, "resnet_head", of_stem, {{3, 32}, {32, 32}});
  const std::vector<Rows> layers = stages_of(c, "resnet_configs", of_layer, usual_stages());
  const std::vector<Rows> bridge = stages_of(c, "stage_configs", of_bridge,
                                             {{{128, 1}},
                                              {{128, 2}},
                                              {{128, 5}},
                                              {{128, 8}, {128, 3}, {128, 2}},
                                              {{128, 12}, {128, 7}, {128, 4}},
                                              {{128, 18}, {128, 12}, {128, 6}}});
  if (stem.empty()) c.refuse(ErrorCode::out_of_range, "resnet_head", "must have at least 1 entry.", Refused::list_length);
  for (const Rows& way : bridge)
    if (way.empty()) c.refuse(ErrorCode::out_of_range, "stage_configs", "must have a layer in each stage.", Refused::list_length);
  const auto number = [&](Count n) { return c.literal(n); };
  for (std::size_t i = 0; i < stem.size(); ++i)
    conv_norm(b, concat({"resnet.resnet_head.", digits(i)}), number(stem[i][0]), number(stem[i][1]), kernel);
  for (std::size_t i = 0; i < layers.size(); ++i)
    for (std::size_t j = 0; j < layers[i].size(); ++j)
      b.scope(concat({"resnet.resnet_down.", digits(i), ".layers.", digits(j)}), [&] {
        const Expr in = number(layers[i][j][0]), out = number(layers[i][j][1]);
        const ConvNorm biased{.bias = true};
        if (layers[i][j][3] != 0) conv_norm(b, "conv_down", in, out, kernel, biased);
        conv_norm(b, "conv_start", in, out, kernel, biased);
        conv_norm(b, "conv_final", out, out, kernel, biased);
      });
  for (std::size_t i = 0; i < bridge.size(); ++i)
    for (std::size_t j = 0; j < bridge[i].size(); ++j)
      conv_norm(b, concat({"bridge.bridge.", digits(i), ".blocks.", digits(j)}), number(bridge[i][j][0]), number(bridge[i][j][0]), 3);
  return bridge.size();
}

BackboneOutput backbone(Config c, Builder& b) {
  constexpr std::size_t pairs = 2;
  Config section = c.section("backbone_config");
  if (!is_given(c, "backbone_config")) refuse_named_backbone(c);
  require_type(section, "uvdoc_backbone");
  const Expr kernel = c.integer("kernel_size", 5);
  const std::vector<Expr> joint = c.dimensions("bridge_connector", {128, 128});
  const Rows points = rows_of(c, "out_point_positions2D", pairs, {{128, 32}, {32, 2}});
  if (joint.size() < pairs) c.refuse(ErrorCode::out_of_range, "bridge_connector", "must have 2 entries.", Refused::list_length);
  if (points.size() < pairs) c.refuse(ErrorCode::out_of_range, "out_point_positions2D", "must have 2 entries.", Refused::list_length);
  std::size_t ways = 0;
  b.scope(Part::convolution, "backbone", [&] { ways = network(section, b); });
  const auto number = [&](std::size_t i, std::size_t j) { return c.literal(points[i][j]); };
  b.scope(Part::output_head, "head", [&] {
    const Expr count = c.count("num_ways", "N_w", "Branches of the bridge, which are concatenated.", ways);
    conv_norm(b, "bridge_connector", joint[0] * count, joint[1], 1);
    conv_norm(b, "out_point_positions2D.conv_down", number(0, 0), number(0, 1), kernel);
    const std::string_view activation = c.text("hidden_act", "prelu");
    if (activation == "prelu")
      b.parameter("out_point_positions2D.conv_down.activation.weight", {c.literal(1)});
    else
      refuse_learned(c, "hidden_act", activation);
    conv2d(b, "out_point_positions2D.conv_up", number(1, 0), number(1, 1), kernel);
  });
  return {.hidden = joint[1]};
}

}  // namespace

extern const Family uvdoc{
    .model_type = "uvdoc",
    .summary = "Document dewarping by a predicted 2D grid.",
    .classes = {"UVDoc", heads::base, ""},
    .backbone = backbone,
};

}  // namespace param_ledger
