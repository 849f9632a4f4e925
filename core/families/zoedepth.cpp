// ZoeDepth: DPT's neck on a backbone, by default BEiT, a head for relative depth, and one for metric depth. The latter adjusts depth bins
// step by step, for one or several ranges of depth. Source: transformers, models/zoedepth.

#include <algorithm>

#include "core/nn/nested.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/dpt_neck.hpp"

namespace param_ledger {

extern const Family beit_large;

namespace {

/// A range of depths: its name, if there are several ranges, and its number of bins.
struct Range {
  std::string name;
  Expr bins;
};
std::vector<Range> ranges(Config c) {
  constexpr Text field = "bin_configurations";
  constexpr std::size_t most = 32;
  const Json given = c.peek(field);
  c.consume(field);
  if (!given || given.is_null() || (given.is(Json::Type::list) && given.size() == 0)) return {{"", c.literal(64)}};
  const auto refuse = [&] { c.refuse(ErrorCode::wrong_type, field, "must be a list of at most 32 objects with n_bins and name."); };
  if (!given.is(Json::Type::list) || given.size() > most) refuse();
  std::vector<Range> out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Json bins = given[i]["n_bins"], name = given[i]["name"];
    const bool several = given.size() > 1;
    if (!bins.is(Json::Type::integer) || bins.negative() || (several && !name.is(Json::Type::string))) refuse();
    out.push_back({several ? std::string(name.string()) : std::string(), c.literal(bins.magnitude())});
  }
  return out;
}

void two_convolutions(Builder& b, Text name, Expr in, Expr middle, Expr out) {
  b.scope(name, [&] {
    conv2d(b, "conv1", in, middle, 1);
    conv2d(b, "conv2", middle, out, 1);
  });
}

/// Records a transformer and a classifier that choose one of two depth ranges for each image.
void patch_transformer(Config c, Builder& b, Expr in) {
  const Expr n_layers = c.integer("num_patch_transformer_layers", required(4)),
             d = c.integer("patch_transformer_hidden_size", required(128));
  const Expr f = c.integer("patch_transformer_intermediate_size", required(1024)),
             n = c.integer("patch_transformer_num_attention_heads", required(4), 1);
  const Expr read = c.literal(128), two = c.literal(2);
  b.scope("patch_transformer", [&] {
    b.repeat("transformer_encoder", all(n_layers), [&] {
      attention(b, "self_attn",
                {.hidden = d, .heads = n, .qkv_bias = true, .output_bias = true, .q = "query", .k = "key", .v = "value", .o = "out_proj"});
      linear(b, "linear1", d, f, true, TensorRole::up);
      linear(b, "linear2", f, d, true, TensorRole::down);
      layer_norm(b, "norm1", d);
      layer_norm(b, "norm2", d);
    });
    conv2d(b, "embedding_convPxP", in, d, 1);
  });
  linear(b, "mlp_classifier.linear1", read, read, true);
  linear(b, "mlp_classifier.linear2", read, two, true);
}

void metric_head(Config c, Builder& b, Expr d) {
  static constexpr std::string_view kinds[] = {"softplus", "normed"};
  const std::vector<Range> all_ranges = ranges(c);
  const bool several = all_ranges.size() > 1, normed = c.text("bin_centers_type", "softplus", kinds) == "normed";
  const Expr in = c.integer("bottleneck_features", 256), e = c.integer("bin_embedding_dim", 128);
  const Expr relative = c.integer("num_relative_features", 32), one = c.literal(1);
  const std::vector<Expr> attracted = c.dimensions("num_attractors", {16, 8, 4, 1});
  constexpr std::size_t levels = 4;
  if (!several && attracted.size() < levels)
    c.refuse(ErrorCode::out_of_range, "num_attractors", "must have 4 entries.", Refused::list_length);
  const Expr half = floor_divide(e, c.literal(2)), middle = several ? half : c.literal(128), seed = several ? half : c.literal(256);
  const Expr joined = several ? relative + e : relative + one + e, narrow = floor_divide(joined, c.literal(several ? 4 : 2));
  b.scope(Part::output_head, "metric_head", [&] {
    conv2d(b, "conv2", in, in, 1);
    if (several) patch_transformer(c, b, in);
    two_convolutions(b, "seed_projector", in, middle, e);
    b.repeat("projectors", all(c.literal(levels)), [&] { two_convolutions(b, "", d, middle, e); });
    for (const Range& range : all_ranges) {
      const auto of = [&](std::string_view plain, std::string_view plural) {
        return several ? concat({plural, ".", range.name}) : std::string(plain);
      };
      two_convolutions(b, of("seed_bin_regressor", "seed_bin_regressors"), in, seed, range.bins);
      // With several ranges, the entries of num_attractors affect no tensor shape. Only the length of the list matters.
      for (std::size_t i = 0; i < (several ? attracted.size() : levels); ++i) {
        const Expr n = several ? c.literal(16) : attracted[i];
        two_convolutions(b, concat({of("attractors", "attractors"), ".", digits(i)}), e, e, normed ? 2 * n : n);
      }
      b.scope(of("conditional_log_binomial", "conditional_log_binomial"), [&] {
        conv2d(b, "mlp.0", joined, narrow, 1);
        conv2d(b, "mlp.2", narrow, c.literal(4), 1);
      });
    }
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  static constexpr std::string_view readouts[] = {"project", "ignore", "add"};
  refuse_named_backbone(c);
  const Expr d = c.integer("fusion_hidden_size", 256), half = floor_divide(d, c.literal(2)),
             relative = c.integer("num_relative_features", 32);
  const std::vector<Expr> widths = c.dimensions("neck_hidden_sizes", {96, 192, 384, 768});
  const bool project = c.text("readout_type", "project", readouts) == "project", projects = c.flag("add_projection", false);
  Config section = c.section("backbone_config");
  const bool said = is_given(c, "backbone_config");
  if (said) {
    constexpr std::string_view known[] = {"beit", "dinov2", "dinov2_with_registers", "vitdet"};
    const Json kind = section.peek("model_type");
    if (!kind.is(Json::Type::string) || std::find(std::begin(known), std::end(known), kind.string()) == std::end(known))
      section.refuse(ErrorCode::unsupported, "model_type", "is of a type that cannot be counted here as the backbone of this one.");
  }
  Expr seen;
  b.tower(Tower::vision, "", [&] {
    seen = (said ? nested_backbone_auto(section, b, "backbone", "beit") : nested_backbone(section, b, "backbone", beit_large)).hidden;
  });
  reassemble_stage(c, b, seen, widths, project);
  fused_levels(b, d, widths, fusion_switches(c));
  b.scope(Part::output_head, "relative_head", [&] {
    const Expr projected = c.literal(256);
    if (projects) conv2d(b, "projection", projected, projected, 3);
    conv2d(b, "conv1", d, half, 3);
    conv2d(b, "conv2", half, relative, 3);
    conv2d(b, "conv3", relative, c.literal(1), 1);
  });
  metric_head(c, b, d);
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"ZoeDepthForDepthEstimation", Head::none, ""}};

}  // namespace

extern const Family zoedepth{
    .model_type = "zoedepth",
    .summary = "Metric depth estimation: BEiT with a DPT decoder and metric bins.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
