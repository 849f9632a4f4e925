// Sapiens 2: like DINOv3's vision transformer, with RMSNorm and, by default, QK-Norm and fewer key-value heads in the middle layers.
// Source: transformers, models/sapiens2.

#include <iterator>

#include "core/nn/heads.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

/// The number of key-value heads in each layer: num_key_value_heads_per_layer, if given. Otherwise the first
/// num_first_full_attention_layers and the last num_last_full_attention_layers layers have one for each query head, and the others have
/// num_key_value_attention_heads.
std::vector<std::int64_t> kv_heads(Config c, Expr n_layers, Expr heads) {
  const Expr few = c.integer("num_key_value_attention_heads", 8), first = c.integer("num_first_full_attention_layers", 8),
             last = c.integer("num_last_full_attention_layers", 8);
  if (const auto given = c.integers("num_key_value_heads_per_layer")) {
    c.require_length("num_key_value_heads_per_layer", given->size(), n_layers);
    return *given;
  }
  require_listable(n_layers);
  std::vector<std::int64_t> out;
  const Count n = n_layers.decide();
  for (Count i = 0; i < n; ++i)
    out.push_back(static_cast<std::int64_t>(
        static_cast<std::uint64_t>(i < first.decide() || i + last.decide() >= n ? heads.decide() : few.decide())));
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 4096), n_layers = c.integer("num_hidden_layers", 24);
  const Expr heads = c.integer("num_attention_heads", 16, 1), channels = c.integer("num_channels", 3), h = floor_divide(d, heads);
  const Sides patch = c.sides("patch_size", 16);
  const Expr registers = c.integer("num_register_tokens", 8);
  const bool query = c.flag("query_bias", true), key = c.flag("key_bias", true), value = c.flag("value_bias", true),
             out = c.flag("proj_bias", true), wide = c.flag("mlp_bias", true), gated = c.flag("use_gated_mlp", true),
             normed = c.flag("use_qk_norm", true), masked = c.flag("use_mask_token", false);
  const std::vector<std::int64_t> kv = kv_heads(c, n_layers, heads);
  require_positive(h);
  b.part(Part::embedding, [&] {
    tokens(b, "cls_token", 1, d);
    if (masked) tokens(b, "embeddings.mask_token", 1, d);
    tokens(b, "storage_tokens", registers, d);
    patch_embedding(b, "patch_embed.projection", channels, d, patch);
  });
  b.repeat("blocks", all(n_layers), [&] {
    rms_norm(b, "ln1", d);
    b.scope(Part::attention, "attn", [&] {
      linear(b, "wq", d, d, query, TensorRole::query);
      linear(b, "proj", d, d, out, TensorRole::output);
      layer_scale(b, "gamma.weight", d);
    });
    if (normed)
      for (const Text name : {"attn.q_norm", "attn.k_norm"}) rms_norm(b, name, h);
    rms_norm(b, "ln2", d);
    b.scope(Part::feed_forward, "ffn", [&] {
      linear(b, "w12", d, gated ? 2 * f : f, wide);
      linear(b, "w3", f, d, wide);
    });
  });
  for (const AlikeLayers& alike : alike_layers(n_layers, kv)) {
    if (alike.number < 1)
      c.refuse(ErrorCode::out_of_range, "num_key_value_heads_per_layer", "must contain numbers of at least 1.", Refused::no_heads);
    const std::string number = digits(static_cast<std::uint64_t>(alike.number));
    const IndexSet layers = named_layers(c, n_layers, concat({"num_layers_of_kv_heads[", number, "]"}), concat({"L_", number}),
                                         "Layers with this number of key-value heads.", alike.layers);
    b.repeat("blocks", layers, [&] {
      b.scope(Part::attention, "attn", [&] {
        const Expr width = c.literal(static_cast<std::uint64_t>(alike.number)) * h;
        linear(b, "wk", d, width, key, TensorRole::key);
        linear(b, "wv", d, width, value, TensorRole::value);
      });
    });
  }
  rms_norm(b, "ln1", d);
  return {.hidden = d};
}

/// The output widths and kernel sizes of consecutive convolutions. A single kernel size may apply to all of them.
struct Convolutions {
  std::vector<Expr> widths, kernels;
};
Convolutions convolutions(Config c, Text widths, Text kernels, Text kernel, std::uint64_t fallback) {
  Convolutions out{.widths = c.dimensions(widths, {})};
  const Expr each = c.integer(kernel, fallback, 1);
  if (is_given(c, kernels))
    out.kernels = c.dimensions(kernels, {});
  else
    out.kernels.assign(out.widths.size(), each);
  if (out.kernels.size() != out.widths.size())
    c.refuse(ErrorCode::inconsistent, kernels, concat({"must have as many entries as ", widths, "."}), Refused::list_length);
  return out;
}

/// Records the head that predicts classes, keypoints, normals, points or an alpha matte for each pixel. It upsamples, by transposed
/// convolutions or by convolutions and pixel shuffle, and then applies further convolutions. `numbered`: whether files name its modules as
/// in the classes for segmentation and pose.
void decode(Config c, Builder& b, Expr d, Text what, bool numbered) {
  Config head = c.section("head_config");
  head.consume("model_type");
  const bool shuffles = head.flag("use_pixel_shuffle", false, Null::allowed);
  const Convolutions larger = convolutions(head, "upsample_out_channels", "upsample_kernel_sizes", "upsample_kernel_size", 4);
  const Convolutions last = convolutions(head, "conv_out_channels", "conv_kernel_sizes", "conv_kernel_size", 1);
  if (larger.widths.empty())
    head.refuse(ErrorCode::out_of_range, "upsample_out_channels", "must have at least 1 entry.", Refused::list_length);
  if (!head.peek("conv_out_channels"))
    head.refuse(ErrorCode::out_of_range, "conv_out_channels", "must be given; it may be an empty list.", Refused::list_length);
  if (shuffles) conv2d(b, numbered ? "input_conv.convolution" : "input_conv.0", d, d, 3);
  Expr in = d;
  for (std::size_t i = 0; i < larger.widths.size(); ++i) {
    const std::string name = numbered ? concat({"deconv_layers.", digits(Count{3} * i)}) : concat({"upsample_blocks.", digits(i), ".0"});
    const Expr out = larger.widths[i];
    if (shuffles) {
      conv2d(b, name, in, 4 * out, larger.kernels[i], false);
      b.parameter(numbered ? concat({"upsample_layers.", digits(i), ".convolution.bias"}) : concat({name, ".bias"}), {4 * out});
    } else {
      transposed_conv2d(b, name, in, out, larger.kernels[i], false);
    }
    in = out;
  }
  for (std::size_t i = 0; i < last.widths.size(); ++i) {
    conv2d(b, concat({"conv_layers.", digits(Count{3} * i)}), in, last.widths[i], last.kernels[i]);
    in = last.widths[i];
  }
  conv2d(b, concat({"conv_", what}), in, num_labels(c), 1);
}

/// Records the layers that predict the scale of a point map: downsampling convolutions and linear layers. Without scale_conv_out_channels
/// there are none.
void scale_of_points(Config c, Builder& b, Expr d) {
  Config head = c.section("head_config");
  if (!is_given(head, "scale_conv_out_channels")) return;
  const Convolutions m = convolutions(head, "scale_conv_out_channels", "scale_conv_kernel_sizes", "scale_conv_kernel_size", 1);
  const std::vector<Expr> inner = head.dimensions("scale_final_hidden_sizes", {});
  if (m.widths.empty() || inner.size() < 2)
    head.refuse(ErrorCode::out_of_range, m.widths.empty() ? "scale_conv_out_channels" : "scale_final_hidden_sizes", "is too short.",
                Refused::list_length);
  const Expr two = c.literal(2);
  Sides places = grid(c.sides("image_size", 224), c.sides("patch_size", 16));
  Expr in = d;
  for (std::size_t i = 0; i < m.widths.size(); ++i) {
    conv2d(b, concat({"scale_conv_layers.", digits(Count{3} * i)}), in, m.widths[i], m.kernels[i]);
    in = m.widths[i];
    // The convolution halves height and width. An odd kernel size rounds them up, an even one down.
    const bool odd = m.kernels[i].decide() % 2 == 1;
    places = odd ? Sides{ceil_divide(places.height, two), ceil_divide(places.width, two)}
                 : Sides{floor_divide(places.height, two), floor_divide(places.width, two)};
  }
  const Expr flat = head.integer("scale_final_input_size", area(places) * in);
  linear(b, "scale_final_layer.1", flat, inner[0], true);
  linear(b, "scale_final_layer.3", inner[0], inner[1], true);
  linear(b, "scale_final_layer.5", inner[1], c.literal(1), true);
}

constexpr Architecture decoding[] = {{"Sapiens2ForSemanticSegmentation", Head::other, "backbone"},
                                     {"Sapiens2ForPoseEstimation", Head::other, "backbone"},
                                     {"Sapiens2ForNormalEstimation", Head::other, "backbone"},
                                     {"Sapiens2ForPointmapEstimation", Head::other, "backbone"},
                                     {"Sapiens2ForImageMatting", Head::other, "backbone"}};

void head(Config c, Builder& b, const BackboneOutput& m) {
  static constexpr Text names[] = {"seg", "pose", "normal", "pointmap", "matting"};
  for (std::size_t i = 0; i < std::size(decoding); ++i) {
    if (b.architecture().name != decoding[i].name) continue;
    b.scope(Part::output_head, "decode_head", [&] {
      decode(c, b, m.hidden, names[i], i < 2);
      if (names[i] == "pointmap") scale_of_points(c, b, m.hidden);
    });
  }
}

}  // namespace

extern const Family sapiens2{
    .model_type = "sapiens2",
    .summary = "Human-centric vision (segmentation, pose, normals, points, mattes): like DINOv3, with grouped-query attention.",
    .classes = {"Sapiens2", heads::base | heads::backbone, "", {}, decoding},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
