// DAC: residual convolutions with Snake activations, and residual vector quantization. The codebooks have a width of their own
// (codebook_dim).
// Source: transformers, models/dac.

#include <algorithm>

#include "core/builder/family.hpp"
#include "core/nn/audio/codec.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr first = c.integer("encoder_hidden_size", 64), first_back = c.integer("decoder_hidden_size", 1536);
  const std::vector<Expr> shorter = c.dimensions("downsampling_ratios", {2, 4, 8, 8});
  std::vector<Expr> longer(shorter.rbegin(), shorter.rend());
  if (c.has("upsampling_ratios")) longer = c.dimensions("upsampling_ratios", {8, 8, 4, 2});
  const Expr d = c.integer("hidden_size", attribute.or_else(times_power_of_two(first, shorter.size())));
  const Expr n_codebooks = c.integer("n_codebooks", 9), size = c.integer("codebook_size", 1024), width = c.integer("codebook_dim", 8);
  require_power_of_two(c, "codebook_size", size);

  b.scope("encoder", [&] { dac_encoder(b, first, shorter, d); });
  b.scope("decoder", [&] { dac_decoder(c, b, d, first_back, longer, "downsampling_ratios"); });
  b.repeat("quantizer.quantizers", all(n_codebooks), [&] {
    b.tower(Tower::projector, "", [&] {
      conv1d(b, "in_proj", d, width, 1);
      conv1d(b, "out_proj", width, d, 1);
    });
    embedding(b, "codebook", size, width);
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"DacModel", Head::none, ""}};

}  // namespace

extern const Family dac{
    .model_type = "dac",
    .summary = "Neural audio codec: residual vector quantization between a convolutional encoder and decoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
