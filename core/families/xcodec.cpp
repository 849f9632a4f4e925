// X-Codec: DAC's networks for acoustics, a speech encoder (by default HuBERT) followed by convolutions for semantics, and codebooks for
// both together. Source: transformers, models/xcodec.

#include "core/nn/audio/codec.hpp"
#include "core/nn/nested.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

extern const Family dac;

namespace {

/// The sizes of the DAC in X-Codec. Some of its defaults differ from those of a separate DAC.
struct Acoustic {
  Expr first, first_back, d;
  std::vector<Expr> shorter, longer;
};
Acoustic acoustic_fields(Config c, Builder& b) {
  if (&family_of_section(c, b, "dac") != &dac) c.refuse(ErrorCode::unsupported, "model_type", "must be dac.");
  c.consume("model_type");
  Acoustic m;
  m.first = c.integer("encoder_hidden_size", 64);
  m.first_back = c.integer("decoder_hidden_size", 1024);
  m.shorter = c.dimensions("downsampling_ratios", {8, 5, 4, 2});
  m.longer = c.dimensions("upsampling_ratios", {8, 5, 4, 2});
  m.d = c.integer("hidden_size", 256);
  require_power_of_two(c, "codebook_size", c.integer("codebook_size", 1024));
  return m;
}

struct Semantic {
  Expr d, kernel, unit_kernel, n_units;
  std::vector<Expr> widths, strides;
};
Semantic semantic_fields(Config c, Expr d) {
  Semantic m{.d = d, .kernel = c.integer("kernel_size", 3), .unit_kernel = c.integer("unit_kernel_size", 3)};
  m.strides = c.dimensions("strides", {1, 1});
  for (const Expr ratio : c.dimensions("channel_ratios", {1, 1})) m.widths.push_back(d * ratio);
  if (m.widths.size() != m.strides.size()) c.refuse(ErrorCode::inconsistent, "channel_ratios", "must have the same length as strides.");
  if (m.widths.empty()) c.refuse(ErrorCode::inconsistent, "channel_ratios", "must have at least 1 entry.");
  const Json given = c.peek("block_dilations");
  if (given && !given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, "block_dilations", "must be a list.");
  c.consume("block_dilations");
  m.n_units = c.literal(given ? given.size() : 2);
  return m;
}

void residual_units(Builder& b, const Semantic& m, Expr width) {
  b.repeat("res_units", all(m.n_units), [&] {
    conv1d(b, "conv1", width, width, m.unit_kernel, false);
    conv1d(b, "conv2", width, width, 1, false);
  });
}

/// The kernel size of a convolution: 3 if it keeps the sequence's length (stride 1), otherwise twice the stride.
Expr kernel_of(Builder& b, Expr stride) {
  constexpr Count keeping = 3;
  return stride.decide() == 1 ? b.pool().literal(keeping) : 2 * stride;
}

void semantic_encoder(Builder& b, const Semantic& m) {
  conv1d(b, "conv", m.d, m.d, m.kernel, false);
  for (std::size_t i = 0; i < m.widths.size(); ++i)
    b.scope(concat({"conv_blocks.", digits(i)}), [&] {
      const Expr in = i == 0 ? m.d : m.widths[i - 1];
      residual_units(b, m, in);
      conv1d(b, "conv", in, m.widths[i], kernel_of(b, m.strides[i]));
    });
}

void semantic_decoder(Builder& b, const Semantic& m) {
  conv1d(b, "conv1", m.d, m.widths[0], m.kernel, false);
  for (std::size_t i = 0; i < m.widths.size(); ++i)
    b.scope(concat({"conv_blocks.", digits(i)}), [&] {
      const Expr out = i + 1 < m.widths.size() ? m.widths[i + 1] : m.d;
      if (m.strides[i].decide() == 1)
        conv1d(b, "conv", m.widths[i], out, kernel_of(b, m.strides[i]));
      else
        transposed_conv1d(b, "conv", m.widths[i], out, kernel_of(b, m.strides[i]), false);
      residual_units(b, m, out);
    });
  conv1d(b, "conv2", m.d, m.d, m.kernel, false);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Acoustic sound = acoustic_fields(c.section("acoustic_model_config"), b);
  b.part(Part::convolution, [&] {
    b.scope("acoustic_encoder", [&] { dac_encoder(b, sound.first, sound.shorter, sound.d); });
    b.scope("acoustic_decoder",
            [&] { dac_decoder(c, b, sound.d, sound.first_back, sound.longer, "acoustic_model_config.upsampling_ratios"); });
  });
  Config meaning = c.section("semantic_model_config");
  const Expr given_back = nested_auto(meaning, b, "semantic_model", "hubert").hidden,
             named = c.pool().find(meaning.full_name("hidden_size"));
  const Expr d_meaning = named ? named : given_back;  // the hidden size, even if an adapter has another output width
  const Semantic m = semantic_fields(c, d_meaning);
  const Expr d = sound.d + d_meaning;
  b.part(Part::convolution, [&] {
    b.scope("encoder_semantic", [&] { semantic_encoder(b, m); });
    b.scope("decoder_semantic", [&] { semantic_decoder(b, m); });
  });
  b.tower(Tower::projector, "", [&] {
    linear(b, "fc", d, d, true);
    linear(b, "fc1", d, d_meaning, true);
    linear(b, "fc2", d, sound.d, true);
  });
  const Expr size = c.integer("codebook_size", 1024), width = c.integer("codebook_dim", d);
  const Expr n_quantizers = quantizers_of_bandwidth(c, c.integer("sample_rate", 16000), sound.shorter, size, 4);
  residual_codebooks(b, "quantizer.quantizers", n_quantizers, size, width);
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"XcodecModel", Head::none, ""}};

}  // namespace

extern const Family xcodec{
    .model_type = "xcodec",
    .summary = "Neural audio codec with acoustic and semantic (HuBERT) features.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
