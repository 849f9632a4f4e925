// VITS, end-to-end text-to-speech: a text encoder, a duration predictor, normalizing flows, and a vocoder. Source: transformers,
// models/vits.

#include "core/builder/family.hpp"
#include "core/nn/audio/hifi_gan.hpp"
#include "core/nn/text/attention.hpp"

namespace param_ledger {

namespace {

struct Vits {
  Expr d, speaker;  ///< `speaker`: width of the speaker embedding; 0: there is none
  Expr wavenet_kernel;
  Expr kernel, n_layers;  ///< kernel size of the duration predictor, and number of depthwise convolutions in each of its stacks
  Expr channels, bins, n_flows;
  [[nodiscard]] bool knows_speakers() const { return speaker.decide() != 0; }
};

/// Records dilated convolutions with weight norm (WaveNet).
void wavenet(Builder& b, const Vits& m, Expr n_layers) {
  constexpr WeightNorm kind = WeightNorm::parametrized;
  const Expr d = m.d;
  b.scope("wavenet", [&] {
    if (m.knows_speakers()) normed_conv1d(b, kind, "cond_layer", m.speaker, 2 * d * n_layers, 1);
    b.repeat("in_layers", all(n_layers), [&] { normed_conv1d(b, kind, "", d, 2 * d, m.wavenet_kernel); });
    if (n_layers.decide() == 0) return;
    b.repeat("res_skip_layers", first(n_layers - 1, n_layers), [&] { normed_conv1d(b, kind, "", d, 2 * d, 1); });
    b.repeat("res_skip_layers", only(static_cast<std::uint64_t>(n_layers.decide() - 1)), [&] { normed_conv1d(b, kind, "", d, d, 1); });
  });
}

/// Records depthwise convolutions, each followed by a norm, a pointwise convolution and another norm.
void separable_convolutions(Builder& b, Text name, const Vits& m) {
  b.scope(name, [&] {
    b.repeat("convs_dilated", all(m.n_layers), [&] { depthwise_conv1d(b, "", m.d, m.kernel, true); });
    b.repeat("convs_pointwise", all(m.n_layers), [&] { conv1d(b, "", m.d, m.d, 1); });
    for (const Text norms : {"norms_1", "norms_2"}) b.repeat(norms, all(m.n_layers), [&] { layer_norm(b, "", m.d); });
  });
}

void duration_flows(Builder& b, Text name, const Vits& m) {
  const Expr one = b.pool().literal(1), half = floor_divide(m.channels, b.pool().literal(2));
  b.repeat(name, only(0), [&] {
    for (const Text part : {"translate", "log_scale"}) b.parameter(part, {m.channels, one});
  });
  b.repeat(name, between(one, m.n_flows + 1), [&] {
    conv1d(b, "conv_pre", half, m.d, 1);
    separable_convolutions(b, "conv_dds", m);
    conv1d(b, "conv_proj", m.d, half * (3 * m.bins - 1), 1);
  });
}

void stochastic_durations(Builder& b, const Vits& m) {
  const Expr d = m.d;
  conv1d(b, "conv_pre", d, d, 1);
  conv1d(b, "conv_proj", d, d, 1);
  separable_convolutions(b, "conv_dds", m);
  if (m.knows_speakers()) conv1d(b, "cond", m.speaker, d, 1);
  duration_flows(b, "flows", m);
  conv1d(b, "post_conv_pre", b.pool().literal(1), d, 1);
  conv1d(b, "post_conv_proj", d, d, 1);
  separable_convolutions(b, "post_conv_dds", m);
  duration_flows(b, "post_flows", m);
}

void plain_durations(Config c, Builder& b, const Vits& m) {
  const Expr width = c.integer("duration_predictor_filter_channels", 256);
  conv1d(b, "conv_1", m.d, width, m.kernel);
  layer_norm(b, "norm_1", width);
  conv1d(b, "conv_2", width, width, m.kernel);
  layer_norm(b, "norm_2", width);
  conv1d(b, "proj", width, b.pool().literal(1), 1);
  if (m.knows_speakers()) conv1d(b, "cond", m.speaker, m.d, 1);
}

void text_encoder(Config c, Builder& b, Expr d, Expr d_flow) {
  const Expr vocab = c.integer("vocab_size", 38), n_layers = c.integer("num_hidden_layers", 6), f = c.integer("ffn_dim", 768);
  const Expr n = c.integer("num_attention_heads", 2, 1), window = c.integer("window_size", 4), kernel = c.integer("ffn_kernel_size", 3);
  const bool bias = c.flag("use_bias", true);
  b.scope("text_encoder", [&] {
    embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
    b.repeat("encoder.layers", all(n_layers), [&] {
      attention(b, "attention", {.hidden = d, .heads = n, .qkv_bias = bias, .output_bias = bias, .o = "out_proj"});
      if (window.decide() != 0)
        b.scope(Part::attention, "attention", [&] {
          for (const Text name : {"emb_rel_k", "emb_rel_v"}) tokens(b, name, 2 * window + 1, floor_divide(d, n));
        });
      layer_norm(b, "layer_norm", d);
      b.scope(Part::feed_forward, "feed_forward", [&] {
        conv1d(b, "conv_1", d, f, kernel);
        conv1d(b, "conv_2", f, d, kernel);
      });
      layer_norm(b, "final_layer_norm", d);
    });
    conv1d(b, "project", d, 2 * d_flow, 1);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 192), d_flow = c.integer("flow_size", 192), half = floor_divide(d_flow, c.literal(2));
  const Expr n_speakers = c.integer("num_speakers", 1), speaker = c.integer("speaker_embedding_size", 0);
  text_encoder(c, b, d, d_flow);

  const bool stochastic = c.flag("use_stochastic_duration_prediction", true);
  Vits m{.d = d, .speaker = speaker};
  m.wavenet_kernel = c.integer("wavenet_kernel_size", 5);
  m.kernel = c.integer("duration_predictor_kernel_size", 3);
  m.n_layers = c.integer("depth_separable_num_layers", 3);
  m.channels = c.integer("depth_separable_channels", 2);
  m.bins = c.integer("duration_predictor_flow_bins", 10);
  m.n_flows = c.integer("duration_predictor_num_flows", 4);
  const Expr n_flows = c.integer("prior_encoder_num_flows", 4), n_prior = c.integer("prior_encoder_num_wavenet_layers", 4),
             n_posterior = c.integer("posterior_encoder_num_wavenet_layers", 16), bins = c.integer("spectrogram_bins", 513);
  b.part(Part::convolution, [&] {
    b.repeat("flow.flows", all(n_flows), [&] {
      conv1d(b, "conv_pre", half, d, 1);
      wavenet(b, m, n_prior);
      conv1d(b, "conv_post", d, half, 1);
    });
    b.scope("decoder", [&] {
      hifi_gan(c, b, d_flow,
               {.kernels = {16, 16, 4, 4}, .rates = {8, 8, 2, 2}, .equally_long = true, .last_bias = false, .speaker = speaker});
    });
    b.scope("duration_predictor", [&] { stochastic ? stochastic_durations(b, m) : plain_durations(c, b, m); });
    if (n_speakers.decide() > 1) embedding(b, "embed_speaker", n_speakers, speaker);
    b.scope("posterior_encoder", [&] {
      conv1d(b, "conv_pre", bins, d, 1);
      wavenet(b, m, n_posterior);
      conv1d(b, "conv_proj", d, 2 * d_flow, 1);
    });
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"VitsModel", Head::none, ""}};

}  // namespace

extern const Family vits{
    .model_type = "vits",
    .summary = "End-to-end text-to-speech: a conditional VAE with normalizing flows and a vocoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
