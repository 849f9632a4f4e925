// PP-OCR: a convolutional backbone with a head that detects or recognises text.
// Source: transformers, models/pp_ocrv5_mobile_rec, pp_ocrv5_server_rec, pp_ocrv6_small_det, pp_ocrv6_small_rec, pp_ocrv6_tiny_rec.

#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

extern const Family hgnet_v2, hgnet_v2_of_readers, pp_lcnet, pp_lcnet_v3, pp_lcnet_v3_of_readers, pp_lcnet_v4;

namespace {

/// Records the backbone that backbone_config describes, by default of `usual`'s type. If the section is missing, records the backbone
/// `unsaid`.
template <const Family& usual, const Family& unsaid>
BackboneOutput backbone(Config c, Builder& b) {
  Config section = c.section("backbone_config");
  if (!is_given(c, "backbone_config")) refuse_named_backbone(c);
  if (!is_given(c, "backbone_config")) return nested_backbone(section, b, "backbone", unsaid);
  const Json type = section.peek("model_type");
  for (const Family* one : {&pp_lcnet_v3, &pp_lcnet_v4})
    if (type.is(Json::Type::string) ? type.string() == std::string_view(one->model_type) : one == &usual)
      return nested_backbone(section, b, "backbone", *one);
  return nested_backbone_auto(section, b, "backbone", usual.model_type);
}

/// Records the backbone and the neck. The neck projects each feature level to one width and has squeeze-and-excitation.
BackboneOutput detector(Config c, Builder& b) {
  const BackboneOutput out = backbone<pp_lcnet_v4, pp_lcnet_v4>(c, b);
  const std::vector<Expr> levels = c.dimensions("layer_list_out_channels", {12, 18, 42, 360});
  const Expr wide = c.integer("neck_out_channels", 96), reduction = c.integer("reduction", 4, 1);
  const Expr kernel = c.integer("dilated_kernel_size", 7), four = c.literal(4), quarter = floor_divide(wide, four);
  const auto gate = [&](Text name, Expr in) {
    b.scope(name, [&] {
      conv2d(b, "conv1", in, floor_divide(in, reduction), 1);
      conv2d(b, "conv2", floor_divide(in, reduction), in, 1);
    });
  };
  b.tower(Tower::projector, "neck", [&] {
    for (std::size_t i = 0; i < levels.size(); ++i)
      b.scope(concat({"insert_conv.", digits(i)}), [&] {
        conv2d(b, "in_conv", levels[i], wide, 1, false);
        gate("squeeze_excitation_block", wide);
      });
    b.repeat("input_conv", all(c.count("num_taken_levels", "L_t", "Feature levels that a detector uses.", levels.size())), [&] {
      depthwise_conv2d(b, "depthwise_convolution", wide, kernel);
      gate("squeeze_excitation_module", quarter);
      conv2d(b, "pointwise_convolution", wide, quarter, 1, false);
    });
  });
  return {.hidden = out.hidden};
}

/// Reads the height and width of a kernel. null stands for the default.
Kernel kernel_of(Config c, std::uint64_t width) {
  if (c.peek("conv_kernel_size").is_null()) {
    c.consume("conv_kernel_size");
    return {1, Size(c.literal(width))};
  }
  const std::vector<Expr> given = c.dimensions("conv_kernel_size", {1, width});
  if (given.size() != 2) c.refuse(ErrorCode::out_of_range, "conv_kernel_size", "must be height and width.", Refused::list_length);
  return {given[0], given[1]};
}

/// Throws unless the backbone has its default type, because transformers reads the width of the head's input from a field of that type.
void require_usual(Config c, Text type) {
  if (is_given(c, "backbone_config")) require_type(c.section("backbone_config"), type);
}

/// Records the recogniser's head: convolutions and attention layers on the backbone's output, and the character classifier.
void reader(Config c, Builder& b, Expr in, bool sixth, std::uint64_t letters) {
  const Expr d = c.integer("hidden_size", 120), inner = c.scaled("mlp_ratio", 2.0, d, "mlp_width", "f"),
             heads = c.integer("num_attention_heads", 8, 1);
  const Expr n_layers = c.integer("depth", 2), narrow = floor_divide(in, c.literal(8));
  const Kernel kernel = kernel_of(c, sixth ? 7 : 3);
  const bool bias = c.flag("qkv_bias", true);
  b.scope(Part::output_head, "head", [&] {
    b.scope("encoder", [&] {
      const auto block = [&](Text index, Expr from, Expr to, const Kernel& k, Expr groups = {}) {
        conv_norm(b, concat({"conv_block.", index}), from, to, k, {.groups = groups});
      };
      if (sixth) {
        block("0", in, d, 1);
        block("1", in, d, 1);
        block("2", d, d, kernel, d);
      } else {
        block("0", in, narrow, kernel);
        block("1", narrow, d, 1);
        block("2", d, in, 1);
        block("3", 2 * in, narrow, kernel);
        block("4", narrow, d, 1);
      }
      b.repeat("svtr_block", all(n_layers), [&] {
        require_multiple(d, heads);
        b.scope("self_attn", [&] {
          linear(b, "qkv", d, 3 * d, bias);
          linear(b, "projection", d, d, true);
        });
        layer_norm(b, "layer_norm1", d);
        mlp(b, "mlp", d, inner, true, "fc1", "fc2");
        layer_norm(b, "layer_norm2", d);
      });
      layer_norm(b, "norm", d);
    });
    linear(b, "head", d, c.integer("head_out_channels", letters), true);
  });
}

template <bool sixth, const Family& usual, std::uint64_t letters>
void reader_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return;
  require_usual(c, usual.model_type);
  reader(c, b, m.hidden, sixth, letters);
}

void tiny_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return;
  require_usual(c, "pp_lcnet_v4");
  const Expr in = m.hidden, d = c.integer("hidden_size", 120);
  b.scope(Part::output_head, "head", [&] {
    depthwise_conv1d(b, "conv1", in, 5, false);
    batch_norm(b, "norm1", in);
    conv1d(b, "conv2", in, in, 1, false);
    batch_norm(b, "norm2", in);
    linear(b, "fc1", in, d, true);
    linear(b, "fc2", d, c.integer("head_out_channels", 6625), true);
  });
}

/// Records the detector's head: a convolution, and two transposed convolutions that upsample the features to a map of text regions.
void detector_head(Config c, Builder& b, const BackboneOutput& /*m*/) {
  if (b.architecture().head != Head::object_detection) return;
  const Expr in = c.integer("neck_out_channels", 96), d = floor_divide(in, c.literal(4));
  const std::vector<Expr> kernels = c.dimensions("kernel_list", {3, 2, 2});
  if (kernels.size() < 3) c.refuse(ErrorCode::out_of_range, "kernel_list", "must have 3 entries.", Refused::list_length);
  b.scope(Part::output_head, "head", [&] {
    conv_norm(b, "conv_down", in, d, kernels[0], {.norm = "norm"});
    transposed_conv2d(b, "conv_up.convolution", d, d, kernels[1]);
    batch_norm(b, "conv_up.norm", d);
    transposed_conv2d(b, "conv_final", d, c.literal(1), kernels[2]);
  });
}

constexpr Alias reader_aliases[] = {{"num_hidden_layers", "depth"}};
constexpr Architecture mobile_reader[] = {{"PPOCRV5MobileRecForTextRecognition", Head::other, "model"}},
                       server_reader[] = {{"PPOCRV5ServerRecForTextRecognition", Head::other, "model"}},
                       small_reader[] = {{"PPOCRV6SmallRecForTextRecognition", Head::other, "model"}},
                       tiny_reader[] = {{"PPOCRV6TinyRecForTextRecognition", Head::other, "model"}};

}  // namespace

extern const Family pp_ocrv5_mobile_rec{
    .model_type = "pp_ocrv5_mobile_rec",
    .summary = "Text recognition (OCR) with a PP-LCNetV3 backbone.",
    .classes = {"PPOCRV5MobileRec", heads::base, "model", {}, mobile_reader},
    .aliases = reader_aliases,
    .backbone = backbone<pp_lcnet_v3, pp_lcnet_v3_of_readers>,
    .head = reader_head<false, pp_lcnet_v3, 18385>,
};
extern const Family pp_ocrv5_server_rec{
    .model_type = "pp_ocrv5_server_rec",
    .summary = "Text recognition (OCR) with an HGNetV2 backbone.",
    .classes = {"PPOCRV5ServerRec", heads::base, "model", {}, server_reader},
    .aliases = reader_aliases,
    .backbone = backbone<hgnet_v2, hgnet_v2_of_readers>,
    .head = reader_head<false, hgnet_v2, 18385>,
};
extern const Family pp_ocrv6_small_det{
    .model_type = "pp_ocrv6_small_det",
    .summary = "Text detection (OCR) with a PP-LCNetV4 backbone.",
    .classes = {"PPOCRV6SmallDet", heads::base | heads::objects, "model"},
    .backbone = detector,
    .head = detector_head,
};
extern const Family pp_ocrv6_small_rec{
    .model_type = "pp_ocrv6_small_rec",
    .summary = "Text recognition (OCR) with a PP-LCNetV4 backbone.",
    .classes = {"PPOCRV6SmallRec", heads::base, "model", {}, small_reader},
    .aliases = reader_aliases,
    .backbone = backbone<pp_lcnet_v4, pp_lcnet_v4>,
    .head = reader_head<true, pp_lcnet_v4, 18714>,
};
extern const Family pp_ocrv6_tiny_rec{
    .model_type = "pp_ocrv6_tiny_rec",
    .summary = "Like PP-OCRv6 small, without attention layers.",
    .classes = {"PPOCRV6TinyRec", heads::base, "model", {}, tiny_reader},
    .aliases = reader_aliases,
    .backbone = backbone<pp_lcnet_v4, pp_lcnet_v4>,
    .head = tiny_head,
};

}  // namespace param_ledger
