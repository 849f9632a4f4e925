// SuperPoint, a keypoint detector; LightGlue and SuperGlue, which match keypoints of two images by self- and cross-attention.
// Source: transformers, models/superpoint, lightglue, superglue.

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Records SuperPoint, the keypoint detector. Returns the descriptor dimension.
Expr detector(Config c, Builder& b) {
  const Json type = c.peek("model_type");
  if (type && (!type.is(Json::Type::string) || type.string() != "superpoint"))
    c.refuse(ErrorCode::unsupported, "model_type", "must be \"superpoint\" here.");
  c.consume("model_type");
  const std::vector<Expr> widths = c.dimensions("encoder_hidden_sizes", {64, 64, 128, 128});
  const Expr d = c.integer("decoder_hidden_size", 256), places = c.integer("keypoint_decoder_dim", 65),
             out = c.integer("descriptor_decoder_dim", 256);
  if (widths.size() < 2) c.refuse(ErrorCode::out_of_range, "encoder_hidden_sizes", "must have at least 2 entries.", Refused::list_length);
  b.part(Part::convolution, [&] {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string block = concat({"encoder.conv_blocks.", digits(i)});
      conv2d(b, concat({block, ".conv_a"}), i == 0 ? c.literal(1) : widths[i - 1], widths[i], 3);
      conv2d(b, concat({block, ".conv_b"}), widths[i], widths[i], 3);
    }
    conv2d(b, "keypoint_decoder.conv_score_a", widths.back(), d, 3);
    conv2d(b, "keypoint_decoder.conv_score_b", d, places, 1);
    conv2d(b, "descriptor_decoder.conv_descriptor_a", widths.back(), d, 3);
    conv2d(b, "descriptor_decoder.conv_descriptor_b", d, out, 1);
  });
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("descriptor_dim", 256), n_layers = c.integer("num_hidden_layers", 9), n = c.integer("num_attention_heads", 4, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = c.integer("head_dim", attribute.or_else(floor_divide(d, n)));
  const bool bias = c.flag("attention_bias", true);
  require_multiple(d, n);
  Expr given;
  b.scope("keypoint_detector", [&] { given = detector(c.section("keypoint_detector_config"), b); });
  b.part(Part::embedding, [&] {
    if (given.decide() != d.decide()) linear(b, "input_projection", given, d, true);
    linear(b, "positional_encoder.projector", c.literal(2), floor_divide(floor_divide(d, n), c.literal(2)));
  });
  b.repeat("transformer_layers", all(n_layers), [&] {
    for (const Text way : {"self", "cross"}) {
      attention(b, concat({way, "_attention"}),
                {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
      const std::string name = concat({way, "_mlp"});
      b.scope(Part::feed_forward, name, [&] {
        linear(b, "fc1", 2 * d, 2 * d, true, TensorRole::up);
        linear(b, "fc2", 2 * d, d, true, TensorRole::down);
      });
      layer_norm(b, concat({name, ".layer_norm"}), 2 * d);
    }
  });
  b.part(Part::output_head, [&] {
    b.repeat("match_assignment_layers", all(n_layers), [&] {
      linear(b, "final_projection", d, d, true);
      linear(b, "matchability", d, c.literal(1), true);
    });
    if (n_layers.decide() > 1) b.repeat("token_confidence", all(n_layers - 1), [&] { linear(b, "token", d, c.literal(1), true); });
  });
  return {.hidden = d};
}

BackboneOutput points(Config c, Builder& b) { return {.hidden = detector(c, b)}; }

/// Records a linear layer followed by a batch norm.
void normed(Builder& b, Text name, Expr in, Expr out) {
  b.scope(name, [&] {
    linear(b, "linear", in, out, true);
    batch_norm(b, "batch_norm", out);
  });
}

BackboneOutput superglue_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 256), n = c.integer("num_attention_heads", 4, 1);
  static constexpr std::string_view ways[] = {"self", "cross"};
  std::vector<std::string_view> usual;
  for (std::size_t i = 0; i < 18; ++i) usual.push_back(ways[i % 2]);
  const Expr n_layers =
      c.count("num_hidden_layers", "L", "Layers: the entries of gnn_layers_types.", c.words("gnn_layers_types", ways, usual).size());
  std::vector<Expr> widths = is_given(c, "keypoint_encoder_sizes") || !c.has("keypoint_encoder_sizes")
                                 ? c.dimensions("keypoint_encoder_sizes", {32, 64, 128, 256})
                                 : std::vector<Expr>{c.literal(32), c.literal(64), c.literal(128), c.literal(256)};
  require_multiple(d, n);
  widths.insert(widths.begin(), c.literal(3));
  widths.push_back(d);
  b.scope("keypoint_detector", [&] { detector(c.section("keypoint_detector_config"), b); });
  b.scope(Part::embedding, "keypoint_encoder.encoder", [&] {
    for (std::size_t i = 1; i < widths.size(); ++i)
      if (i + 1 < widths.size())
        normed(b, digits(i - 1), widths[i - 1], widths[i]);
      else
        linear(b, digits(i - 1), widths[i - 1], widths[i], true);
  });
  b.repeat("gnn.layers", all(n_layers), [&] {
    attention(b, "attention",
              {.hidden = d,
               .heads = n,
               .kv_heads = n,
               .head_dim = floor_divide(d, n),
               .qkv_bias = true,
               .output_bias = true,
               .q = "self.query",
               .k = "self.key",
               .v = "self.value",
               .o = "output.dense"});
    b.scope(Part::feed_forward, "mlp", [&] {
      normed(b, "0", 2 * d, 2 * d);
      linear(b, "1", 2 * d, d, true);
    });
  });
  b.part(Part::output_head, [&] {
    linear(b, "final_projection.final_proj", d, d, true);
    b.parameter("bin_score", {});
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"LightGlueForKeypointMatching", Head::none, ""}};
constexpr Architecture superglue_classes[] = {{"SuperGlueForKeypointMatching", Head::none, ""}};
constexpr Architecture superpoint_classes[] = {{"SuperPointForKeypointDetection", Head::none, ""}};

}  // namespace

extern const Family lightglue{
    .model_type = "lightglue",
    .summary = "Keypoint matching between two images, with adaptive depth.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family superglue{
    .model_type = "superglue",
    .summary = "Keypoint matching between two images by self- and cross-attention.",
    .classes = {.listed = superglue_classes},
    .backbone = superglue_backbone,
};
extern const Family superpoint{
    .model_type = "superpoint",
    .summary = "Keypoint detection and description: a convolutional network.",
    .classes = {.listed = superpoint_classes},
    .backbone = points,
};

}  // namespace param_ledger
