// Speech2Text: convolutions on a spectrogram, then BART's encoder and decoder with sinusoidal positions.
// Source: transformers, models/speech_to_text.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Records gated convolutions (GLU), in which half of the output channels gate the others.
void subsampler(Config c, Builder& b, Expr d) {
  const Expr two = c.literal(2), n_layers = c.integer("num_conv_layers", 2), channels = c.integer("conv_channels", 1024);
  const Expr in = c.integer("input_feat_per_channel", 80) * c.integer("input_channels", 1);
  const std::vector<Expr> kernels = c.dimensions("conv_kernel_sizes", {5, 5});
  c.require_length("conv_kernel_sizes", kernels.size(), n_layers);
  const InBlock block(b, {Mechanism::convolutional_stem});
  for (std::size_t i = 0; i < kernels.size(); ++i)
    conv1d(b, concat({"conv.conv_layers.", digits(i)}), i == 0 ? in : floor_divide(channels, two),
           i + 1 < kernels.size() ? channels : 2 * d, kernels[i]);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 10000), d = c.integer("d_model", 256);
  const Stack encoder = encoder_fields(c, d, {12, 2048, 4}), decoder = decoder_fields(c, d, {6, 2048, 4});
  b.tower(Tower::audio, "encoder", [&] {
    b.part(Part::embedding, [&] { subsampler(c, b, d); });
    stack_layers(b, encoder);
    layer_norm(b, "layer_norm", d);
  });
  Tensor words;
  b.scope("decoder", [&] {
    words = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
    stack_layers(b, decoder);
    layer_norm(b, "layer_norm", d);
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family speech_to_text{
    .model_type = "speech_to_text",
    .summary = "Speech recognition and translation: BART on downsampled spectrograms.",
    .classes = {"Speech2Text", heads::conditional | heads::base},
    .aliases = bart_aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
