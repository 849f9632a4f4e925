// UnivNet: a vocoder whose convolution kernels are generated from the spectrogram. Source: transformers, models/univnet.

#include "core/builder/family.hpp"
#include "core/nn/audio/hifi_gan.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr in = c.integer("model_in_channels", 64), d = c.integer("model_hidden_channels", 32), bins = c.integer("num_mel_bins", 100);
  const std::vector<Expr> kernels = c.dimensions("resblock_kernel_sizes", {3, 3, 3}),
                          strides = c.dimensions("resblock_stride_sizes", {8, 8, 4});
  const std::vector<Count> depths = dilation_counts(c, 4);
  if (kernels.size() != strides.size() || kernels.size() != depths.size())
    c.refuse(ErrorCode::inconsistent, "resblock_kernel_sizes",
             "must have the same length as resblock_stride_sizes and resblock_dilation_sizes.");
  const Expr n_blocks = c.integer("kernel_predictor_num_blocks", 3), width = c.integer("kernel_predictor_hidden_channels", 64),
             kernel = c.integer("kernel_predictor_conv_size", 3);
  b.part(Part::convolution, [&] {
    conv1d(b, "conv_pre", in, d, 7);
    for (std::size_t i = 0; i < kernels.size(); ++i)
      b.scope(concat({"resblocks.", digits(i)}), [&] {
        const Expr depth = c.literal(depths[i]);
        transposed_conv1d(b, "convt_pre", d, d, 2 * strides[i]);
        b.scope("kernel_predictor", [&] {
          conv1d(b, "input_conv", bins, width, 5);
          b.repeat("resblocks", all(n_blocks), [&] {
            for (const Text name : {"conv1", "conv2"}) conv1d(b, name, in, in, kernel);
          });
          conv1d(b, "kernel_conv", width, d * (2 * d) * kernels[i] * depth, kernel);
          conv1d(b, "bias_conv", width, 2 * d * depth, kernel);
        });
        b.repeat("resblocks", all(depth), [&] { conv1d(b, "conv", d, d, kernels[i]); });
      });
    conv1d(b, "conv_post", d, c.literal(1), 7);
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"UnivNetModel", Head::none, ""}};

}  // namespace

extern const Family univnet{
    .model_type = "univnet",
    .summary = "Neural vocoder with location-variable convolutions.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
