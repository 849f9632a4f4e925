// EnCodec: SEANet's convolutions with an LSTM, and residual vector quantization. The codebooks are buffers.
// Source: transformers, models/encodec.

#include "core/builder/family.hpp"
#include "core/nn/audio/codec.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  static constexpr std::string_view norms[] = {"weight_norm", "time_group_norm"};
  const bool by_weight = c.text("norm_type", "weight_norm", norms) == "weight_norm";
  Seanet m = seanet_fields(c, {.shortcut = true}, 128, 32, 7, {8, 5, 4, 2});
  m.weight_norm = by_weight ? WeightNorm::parametrized : WeightNorm::none;
  m.group_norm = !by_weight;
  m.lstm_layers = c.integer("num_lstm_layers", 2);
  const Expr codebook = c.integer("codebook_size", 1024), width = c.integer("codebook_dim", m.hidden);
  require_power_of_two(c, "codebook_size", codebook);
  const Expr n_quantizers = quantizers_of_bandwidth(c, c.integer("sampling_rate", 24000), m.ratios, codebook, 24);

  b.scope("encoder", [&] { seanet_encoder(b, m); });
  b.scope("decoder", [&] { seanet_decoder(b, m); });
  residual_codebooks(b, "quantizer.layers", n_quantizers, codebook, width);
  return {.hidden = m.hidden};
}

constexpr Architecture classes[] = {{"EncodecModel", Head::none, ""}};

}  // namespace

extern const Family encodec{
    .model_type = "encodec",
    .summary = "Neural audio codec: residual vector quantization between a convolutional encoder and decoder with LSTMs.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
