// ViTMatte: ViTDet on an image and a trimap, followed by convolutions that predict an alpha matte. Source: transformers, models/vitmatte.

#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

extern const Family vitdet;

namespace {

constexpr ConvNorm names{.convolution = "conv", .norm = "batch_norm"};

BackboneOutput backbone(Config c, Builder& b) {
  refuse_named_backbone(c);
  Config section = c.section("backbone_config");
  require_type(section, vitdet.model_type);
  const Expr d = c.integer("hidden_size", 384), in = section.integer("num_channels", 3), middle = c.literal(16);
  const std::vector<Expr> widths = c.dimensions("convstream_hidden_sizes", {48, 96, 192}),
                          joined = c.dimensions("fusion_hidden_sizes", {256, 128, 64, 32});
  if (joined.size() != widths.size() + 1)
    c.refuse(ErrorCode::inconsistent, "fusion_hidden_sizes", "must have one more entry than convstream_hidden_sizes.",
             Refused::list_length);
  b.tower(Tower::vision, "", [&] { nested_backbone(section, b, "backbone", vitdet); });
  b.scope(Part::output_head, "decoder", [&] {
    for (std::size_t i = 0; i < widths.size(); ++i)
      conv_norm(b, concat({"convstream.convs.", digits(i)}), i == 0 ? in : widths[i - 1], widths[i], 3, names);
    for (std::size_t i = 0; i < joined.size(); ++i) {
      const Expr detail = i < widths.size() ? widths[widths.size() - 1 - i] : in;
      conv_norm(b, concat({"fusion_blocks.", digits(i), ".conv"}), (i == 0 ? d : joined[i - 1]) + detail, joined[i], 3, names);
    }
    b.scope("matting_head.matting_convs", [&] {
      conv2d(b, "0", joined.back(), middle, 3);
      batch_norm(b, "1", middle);
      conv2d(b, "3", middle, c.literal(1), 1);
    });
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"VitMatteForImageMatting", Head::none, ""}};

}  // namespace

extern const Family vitmatte{
    .model_type = "vitmatte",
    .summary = "Image matting: ViTDet with a convolutional detail decoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
