// The Perception Encoder for audio: transformer layers on top of DAC's encoder.
// Source: transformers, models/pe_audio.

#include <vector>

#include "core/nn/audio/pe_encoder.hpp"
#include "core/nn/nested.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Records DAC's encoder, which has no weight norm here. Returns its output width.
Expr dac_encoder(Config c, Builder& b) {
  require_type(c, "dac");
  const Expr first = c.integer("encoder_hidden_size", 64);
  const std::vector<Expr> ratios = c.dimensions("downsampling_ratios", {2, 8, 10, 12});
  constexpr std::size_t most_blocks = 32;  // more blocks would overflow, because the width doubles at each block
  if (ratios.size() > most_blocks)
    c.refuse(ErrorCode::out_of_range, "downsampling_ratios", "must contain at most 32 ratios.", Refused::list_length);
  const auto width = [&](std::size_t i) { return i == 0 ? first : (std::uint64_t{1} << i) * first; };
  const Expr last = width(ratios.size()), out = c.integer("hidden_size", last), one = c.literal(1);
  const auto snake = [&](Text name, Expr d) { b.parameter(concat({name, ".alpha"}), {one, d, one}); };
  b.scope(Part::convolution, "dac_encoder", [&] {
    conv1d(b, "conv1", one, first, 7);
    for (std::size_t i = 0; i < ratios.size(); ++i)
      b.scope(concat({"block.", digits(i)}), [&] {
        const Expr d = width(i);
        for (const Text unit : {"res_unit1", "res_unit2", "res_unit3"})
          b.scope(unit, [&] {
            snake("snake1", d);
            conv1d(b, "conv1", d, d, 7);
            snake("snake2", d);
            conv1d(b, "conv2", d, d, 1);
          });
        snake("snake1", d);
        conv1d(b, "conv1", d, width(i + 1), 2 * ratios[i]);
      });
    snake("snake1", last);
    conv1d(b, "conv2", last, out, 3);
  });
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  return pe_encoder(c, b, [&](Expr d) {
    Config dac = c.section("dac_config");
    const Expr heard = dac_encoder(dac, b), width = dac.integer("codebook_dim", 128);
    b.tower(Tower::projector, "", [&] {
      conv1d(b, "bottleneck", heard, width, 1);
      linear(b, "data_proj", width, d, true);
    });
  });
}

constexpr Architecture classes[] = {{"PeAudioEncoder", Head::none, ""}};

}  // namespace

extern const Family pe_audio_encoder{
    .model_type = "pe_audio_encoder",
    .summary = "Audio encoder of PE-AV (Perception Encoder).",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
