#include "core/nn/audio/hifi_gan.hpp"

#include <algorithm>

#include "core/nn/audio/codec.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

std::vector<Count> dilation_counts(Config c, Count usual, bool nullable) {
  constexpr Text field = "resblock_dilation_sizes";
  const Json given = c.peek(field);
  c.consume(field);
  if (!given || (nullable && given.is_null())) return {usual, usual, usual};
  if (!given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, field, "must be a list of lists.");
  std::vector<Count> out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, field, "must be a list of lists.");
    out.push_back(given[i].size());
  }
  return out;
}

void refining_convolutions(Config c, Builder& b, Expr bins) {
  const Expr n_layers = c.integer("speech_decoder_postnet_layers", 5), units = c.integer("speech_decoder_postnet_units", 256),
             kernel = c.integer("speech_decoder_postnet_kernel", 5), one = c.literal(1);
  const auto layer = [&](const IndexSet& indices, Expr in, Expr out) {
    b.repeat("layers", indices, [&] {
      conv1d(b, "conv", in, out, kernel, false);
      batch_norm(b, "batch_norm", out);
    });
  };
  if (n_layers.decide() < 2) return layer(all(n_layers), bins, bins);
  layer(only(0), bins, units);
  layer(between(one, n_layers - 1), units, units);
  layer(only(static_cast<std::uint64_t>(n_layers.decide() - 1)), units, bins);
}

void hifi_gan(Config c, Builder& b, Expr in, const HifiGan& type) {
  const Expr first = c.integer("upsample_initial_channel", 512);
  const std::vector<std::int64_t> rates = c.integers("upsample_rates", type.rates);
  const std::vector<Expr> kernels = c.dimensions("upsample_kernel_sizes", type.kernels),
                          block_kernels = c.dimensions("resblock_kernel_sizes", {3, 7, 11});
  constexpr Count usual_dilations = 3;
  const std::vector<Count> convolutions = dilation_counts(c, usual_dilations, type.null_dilations);
  const std::size_t steps = std::min(rates.size(), kernels.size()), blocks = std::min(block_kernels.size(), convolutions.size());
  if (type.equally_long && rates.size() != kernels.size())
    c.refuse(ErrorCode::inconsistent, "upsample_kernel_sizes", "must have the same length as upsample_rates.");
  if (steps == 0) c.refuse(ErrorCode::inconsistent, "upsample_rates", "must have at least 1 entry, like upsample_kernel_sizes.");
  const Expr one = c.literal(1);
  const auto channels = [&](std::size_t i) { return divided_by_power_of_two(first, i); };

  b.part(Part::convolution, [&] {
    conv1d(b, "conv_pre", in, first, 7);
    for (std::size_t i = 0; i < steps; ++i)
      transposed_conv1d(b, concat({"upsampler.", digits(i)}), channels(i), channels(i + 1), kernels[i]);
    for (std::size_t i = 0; i < steps; ++i)
      for (std::size_t j = 0; j < blocks; ++j)
        b.scope(concat({"resblocks.", digits(i * blocks + j)}), [&] {
          for (const Text name : {"convs1", "convs2"})
            b.repeat(name, all(c.literal(convolutions[j])), [&] { conv1d(b, "", channels(i + 1), channels(i + 1), block_kernels[j]); });
        });
    conv1d(b, "conv_post", channels(steps), one, 7, type.last_bias);
    if (type.speaker && type.speaker.decide() != 0) conv1d(b, "cond", type.speaker, first, 1);
  });
}

}  // namespace param_ledger
