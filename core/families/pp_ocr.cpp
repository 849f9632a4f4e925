// PP-OCR: networks of convolutions that find and read texts.
// Source: transformers, models/pp_ocrv5_mobile_rec, pp_ocrv5_server_rec, pp_ocrv6_small_det, pp_ocrv6_small_rec, pp_ocrv6_tiny_rec.

#include "core/blocks/convolution.hpp"
#include "core/nested.hpp"

namespace param_ledger {

extern const Family hgnet_v2, hgnet_v2_of_readers, pp_lcnet, pp_lcnet_v3, pp_lcnet_v3_of_readers, pp_lcnet_v4;

namespace {

/// The backbone that backbone_config describes: of `usual`'s type where it names none, `unsaid` where there is no such section.
template <const Family& usual, const Family& unsaid>
Backbone backbone(Config c, Builder& b) {
  Config section = c.section("backbone_config");
  if (!is_given(c, "backbone_config")) refuse_fetched(c);
  if (!is_given(c, "backbone_config")) return nested_backbone(section, b, "backbone", unsaid);
  const Json type = section.peek("model_type");
  for (const Family* one : {&pp_lcnet_v3, &pp_lcnet_v4})
    if (type.is(Json::Type::string) ? type.string() == std::string_view(one->model_type) : one == &usual)
      return nested_backbone(section, b, "backbone", *one);
  return nested_backbone_auto(section, b, "backbone", usual.model_type);
}

/// Each level is brought to one width, with gates of channels around it.
Backbone detector(Config c, Builder& b) {
  const Backbone out = backbone<pp_lcnet_v4, pp_lcnet_v4>(c, b);
  const std::vector<Expr> levels = c.dimensions("layer_list_out_channels", {12, 18, 42, 360});
  const Expr wide = c.integer("neck_out_channels", 96), reduction = c.integer("reduction", 4, 1);
  const Expr kernel = c.integer("dilated_kernel_size", 7), four = c.literal(4), quarter = floor_divide(wide, four);
  const auto gate = [&](Text name, Expr in) {
    b.scope(name, [&] {
      conv2d(b, "conv1", in, floor_divide(in, reduction), 1);
      conv2d(b, "conv2", floor_divide(in, reduction), in, 1);
    });
  };
  b.scope(Part::projector, "neck", [&] {
    for (std::size_t i = 0; i < levels.size(); ++i)
      b.scope(concat({"insert_conv.", digits(i)}), [&] {
        conv2d(b, "in_conv", levels[i], wide, 1, false);
        gate("squeeze_excitation_block", wide);
      });
    b.repeat("input_conv", all(c.count("num_taken_levels", "L_t", "Levels that a detector takes.", levels.size())), [&] {
      depthwise_conv2d(b, "depthwise_convolution", wide, kernel);
      gate("squeeze_excitation_module", quarter);
      conv2d(b, "pointwise_convolution", wide, quarter, 1, false);
    });
  });
  return {.hidden = out.hidden};
}

}  // namespace

extern const Family pp_ocrv5_mobile_rec{
    .model_type = "pp_ocrv5_mobile_rec",
    .summary = "Reads lines of text, by PP-LCNet's third version.",
    .classes = {"PPOCRV5MobileRec", heads::base, "model"},
    .backbone = backbone<pp_lcnet_v3, pp_lcnet_v3_of_readers>,
};
extern const Family pp_ocrv5_server_rec{
    .model_type = "pp_ocrv5_server_rec",
    .summary = "Reads lines of text, by HGNet's second version.",
    .classes = {"PPOCRV5ServerRec", heads::base, "model"},
    .backbone = backbone<hgnet_v2, hgnet_v2_of_readers>,
};
extern const Family pp_ocrv6_small_det{
    .model_type = "pp_ocrv6_small_det",
    .summary = "Finds lines of text, by PP-LCNet's fourth version.",
    .classes = {"PPOCRV6SmallDet", heads::base, "model"},
    .backbone = detector,
};
extern const Family pp_ocrv6_small_rec{
    .model_type = "pp_ocrv6_small_rec",
    .summary = "Reads lines of text, by PP-LCNet's fourth version.",
    .classes = {"PPOCRV6SmallRec", heads::base, "model"},
    .backbone = backbone<pp_lcnet_v4, pp_lcnet_v4>,
};
extern const Family pp_ocrv6_tiny_rec{
    .model_type = "pp_ocrv6_tiny_rec",
    .summary = "As PP-OCRv6 small, without layers of attention.",
    .classes = {"PPOCRV6TinyRec", heads::base, "model"},
    .backbone = backbone<pp_lcnet_v4, pp_lcnet_v4>,
};

}  // namespace param_ledger
