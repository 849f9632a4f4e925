// EfficientLoFTR: matches two images by RepVGG's convolutions and by self- and cross-attention on downsampled feature maps. Source:
// transformers, models/efficientloftr.

#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/hybrid_encoder.hpp"

namespace param_ledger {

namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

/// Reads a list of lists. If the field is missing, returns `derived`, as transformers does.
Lists given_or(Config c, Text field, Lists derived) {
  const Json given = c.peek(field);
  c.consume(field);
  if (!given) return derived;
  if (!given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, field, "must be a list of lists.");
  Lists out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    out.emplace_back();
    for (std::size_t j = 0; j < given[i].size(); ++j) {
      const Json entry = given[i][j];
      if (!entry.is(Json::Type::integer) || entry.negative())
        c.refuse(ErrorCode::wrong_type, field, "must contain lists of whole numbers.");
      out.back().push_back(static_cast<std::int64_t>(entry.magnitude()));
    }
  }
  return out;
}

void convolutions(Config c, Builder& b, Expr d) {
  const std::vector<std::int64_t> counts = c.integers("stage_num_blocks", {1, 2, 4, 14}),
                                  strides = c.integers("stage_stride", {2, 1, 2, 2}),
                                  widths = c.integers("out_features", {64, 64, 128, 256});
  constexpr std::int64_t most = 10'000;
  Lists in, out, steps;
  if (widths.empty() || static_cast<Count>(widths.back()) != d.decide())
    c.refuse(ErrorCode::inconsistent, "out_features", "must end in hidden_size.");
  for (const std::int64_t n : widths)
    if (n < 0) c.refuse(ErrorCode::out_of_range, "out_features", "must contain whole numbers.");
  if (counts.size() > widths.size() || strides.size() > counts.size())
    c.refuse(ErrorCode::inconsistent, "stage_num_blocks", "must have an entry for each stage.", Refused::list_length);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 1 || counts[i] > most) c.refuse(ErrorCode::out_of_range, "stage_num_blocks", "must contain numbers from 1 to 10000.");
    const auto n = static_cast<std::size_t>(counts[i]);
    in.emplace_back(n, widths[i]), out.emplace_back(n, widths[i]);
    in.back()[0] = i == 0 ? 1 : widths[i - 1];
    if (i < strides.size()) steps.emplace_back(n, 1), steps.back()[0] = strides[i];
  }
  in = given_or(c, "stage_block_in_channels", in);
  out = given_or(c, "stage_block_out_channels", out);
  steps = given_or(c, "stage_block_stride", steps);
  for (std::size_t i = 0; i < strides.size(); ++i)
    for (std::size_t j = 0; j < static_cast<std::size_t>(counts[i]); ++j) {
      if (i >= in.size() || i >= out.size() || i >= steps.size() || j >= in[i].size() || j >= out[i].size() || j >= steps[i].size())
        c.refuse(ErrorCode::inconsistent, "stage_num_blocks", "must give as many blocks as stage_block_in_channels and similar lists.",
                 Refused::list_length);
      b.scope(concat({"stages.", digits(i), ".blocks.", digits(j)}), [&] {
        const Expr from = c.literal(static_cast<Count>(in[i][j])), to = c.literal(static_cast<Count>(out[i][j]));
        conv_norm(b, "conv1", from, to, 3, conv_and_norm);
        conv_norm(b, "conv2", from, to, 1, conv_and_norm);
        if (in[i][j] == out[i][j] && steps[i][j] == 1) batch_norm(b, "identity", from);
      });
    }
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 256), heads = c.integer("num_attention_heads", fixed(8), 1);
  const Expr groups = c.integer("num_key_value_heads", attribute.or_else(heads));
  const Expr head_dim = c.integer("head_dim", attribute.or_else(floor_divide(d, heads)));
  const Expr inner = c.integer("intermediate_size", attribute.or_else(2 * d)), kernel = c.integer("q_aggregation_kernel_size", 4);
  const bool bias = c.flag("attention_bias", false);
  b.scope(Part::convolution, "backbone", [&] { convolutions(c, b, d); });
  b.repeat("local_feature_transformer.layers", all(c.integer("num_attention_layers", 4)), [&] {
    for (const Text way : {"self_attention", "cross_attention"})
      b.scope(way, [&] {
        b.scope(Part::attention, "", [&] {
          depthwise_conv2d(b, "aggregation.q_aggregation", d, kernel, false);
          linear(b, "attention.q_proj", d, heads * head_dim, bias, TensorRole::query);
          for (const Text name : {"attention.k_proj", "attention.v_proj"}) linear(b, name, d, groups * head_dim, bias);
          linear(b, "attention.o_proj", heads * head_dim, d, bias, TensorRole::output);
        });
        layer_norm(b, "aggregation.norm", d);
        b.scope(Part::feed_forward, "mlp", [&] {
          linear(b, "fc1", 2 * d, inner, false, TensorRole::up);
          linear(b, "fc2", inner, d, false, TensorRole::down);
        });
        layer_norm(b, "mlp.layer_norm", d);
      });
  });
  return {.hidden = d};
}

/// Records the layers that refine matches by fusing feature maps. fine_fusion_dims gives their widths.
void head(Config c, Builder& b, const BackboneOutput& /*m*/) {
  if (b.architecture().head == Head::none) return;
  const std::vector<std::int64_t> widths = c.integers("out_features", {64, 64, 128, 256});
  const auto given = c.integers("fine_fusion_dims");
  const std::vector<std::int64_t> dims = given ? *given : std::vector<std::int64_t>(widths.rbegin(), widths.rend() - 1);
  for (const std::int64_t width : dims)
    if (width < 0) c.refuse(ErrorCode::out_of_range, "fine_fusion_dims", "must contain whole numbers.");
  if (dims.empty()) c.refuse(ErrorCode::out_of_range, "fine_fusion_dims", "must not be empty.");
  const auto width = [&](std::size_t i) { return c.literal(static_cast<Count>(dims[i])); };
  b.scope(Part::output_head, "refinement_layer", [&] {
    conv2d(b, "out_conv", width(0), width(0), 1, false);
    for (std::size_t i = 1; i < dims.size(); ++i)
      b.scope(concat({"out_conv_layers.", digits(i - 1)}), [&] {
        conv2d(b, "out_conv1", width(i), width(i - 1), 1, false);
        conv2d(b, "out_conv2", width(i - 1), width(i - 1), 3, false);
        batch_norm(b, "batch_norm", width(i - 1));
        conv2d(b, "out_conv3", width(i - 1), width(i), 3, false);
      });
  });
}

constexpr Architecture matching[] = {{"EfficientLoFTRForKeypointMatching", Head::other, "efficientloftr"}};

}  // namespace

extern const Family efficientloftr{
    .model_type = "efficientloftr",
    .summary = "Detector-free local feature matching between two images.",
    .classes = {"EfficientLoFTR", heads::base, "efficientloftr", {}, matching},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
