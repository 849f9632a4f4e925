#include "core/blocks/hifi_gan.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace param_ledger {

namespace {

/// How many convolutions each residual block has: the lengths of lists in a list.
std::vector<Count> dilations(Config c) {
  constexpr Text field = "resblock_dilation_sizes";
  constexpr Count usual = 3;
  const Json given = c.peek(field);
  c.consume(field);
  if (!given) return {usual, usual, usual};
  if (!given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, field, "must be a list of lists.");
  std::vector<Count> out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, field, "must be a list of lists.");
    out.push_back(given[i].size());
  }
  return out;
}

}  // namespace

void hifi_gan(Config c, Builder& b, Expr in, const HifiGan& type) {
  const Expr first = c.integer("upsample_initial_channel", 512);
  const std::vector<std::int64_t> rates = c.integers("upsample_rates", type.rates);
  const std::vector<Expr> kernels = c.dimensions("upsample_kernel_sizes", type.kernels),
                          block_kernels = c.dimensions("resblock_kernel_sizes", {3, 7, 11});
  const std::vector<Count> convolutions = dilations(c);
  const std::size_t steps = std::min(rates.size(), kernels.size()), blocks = std::min(block_kernels.size(), convolutions.size());
  if (steps == 0) c.refuse(ErrorCode::inconsistent, "upsample_rates", "must have at least 1 entry, as upsample_kernel_sizes.");
  const Expr one = c.literal(1);
  const auto channels = [&](std::size_t i) { return i == 0 ? first : floor_divide(first, c.literal(Count{1} << i)); };
  if (steps >= 60) c.refuse(ErrorCode::too_large, "upsample_rates", "has too many entries.");

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
    if (type.speaker && type.speaker.value() != 0) conv1d(b, "cond", type.speaker, first, 1);
  });
}

}  // namespace param_ledger
