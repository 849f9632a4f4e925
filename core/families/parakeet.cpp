// Speech recognisers with a conformer on a subsampled spectrogram, and their encoders alone: NeMo's Parakeet and Nemotron, and Google's
// Lasr. A recogniser either has a CTC head, or is a transducer, which adds a text predictor (an LSTM) and a joint network. TDT transducers
// also predict durations. Lasr has RoPE; the convolutions of Nemotron's streaming encoder are causal. Source: transformers,
// models/parakeet, lasr, nemotron_asr_streaming, nemotron3_5_asr.

#include "core/builder/blocks.hpp"
#include "core/nn/audio/fast_conformer.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

extern const Family lasr_encoder, nemotron_asr_streaming_encoder, parakeet_encoder;

namespace {

/// The defaults and options that differ between encoders of different model types.
struct EncoderType {
  std::uint64_t hidden = 1024, layers = 24, heads = 8, inner = 4096, kernel = 9, bins = 80;
  bool bias = true;
  bool attention_bias = true;
  bool relative = true;  ///< true: attention has a projection of relative positions and two biases; false: RoPE and Lasr's subsampling
  bool causal = false;   ///< whether convolutions are causal, with a layer norm instead of a batch norm
  Norm norm = Norm::layer;
  bool nemo = false;  ///< whether files have NeMo's module names
};
constexpr EncoderType parakeet_type{};
constexpr EncoderType omni_type{.attention_bias = false};
constexpr EncoderType canary_type{.layers = 32, .bins = 128};
constexpr EncoderType cohere_type{.hidden = 1280, .layers = 48, .inner = 5120, .bins = 128, .nemo = true};
constexpr EncoderType streaming_type{.causal = true};
constexpr EncoderType lasr_type{
    .hidden = 512, .layers = 17, .heads = 8, .inner = 2048, .kernel = 32, .bias = false, .relative = false, .norm = Norm::unbiased};

/// Records the strided convolutions over time and frequency, and a linear layer after them. The first convolution has one input channel.
/// The others are depthwise, each followed by a pointwise convolution.
void subsampling(Config c, Builder& b, Expr d, const EncoderType& type) {
  const Expr bins = c.integer("num_mel_bins", type.bins), channels = c.integer("subsampling_conv_channels", 256);
  const Expr factor = c.integer("subsampling_factor", 8, 1), kernel = c.integer("subsampling_conv_kernel_size", 3),
             stride = c.integer("subsampling_conv_stride", 2, 1);
  Count n = 0;
  for (Count rest = factor.decide(); rest > 1; rest /= 2) ++n;
  Expr left = bins;  // frequency bands that remain after the convolutions
  if (type.causal)
    for (Count i = 0; i < n; ++i) left = floor_divide(left + stride - 2, stride) + 1;
  else
    left = floor_divide(bins, power(stride, static_cast<std::uint64_t>(n)));
  const Text layers = type.nemo ? "conv." : "layers.";
  b.scope(Part::embedding, type.nemo ? "pre_encode" : "subsampling", [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    conv2d(b, type.causal ? Text("conv_in") : Text(concat({layers, "0"})), c.literal(1), channels, kernel);
    for (Count i = 1; i < n; ++i) {
      const std::string causal = concat({"layers.", digits(i - 1)});
      depthwise_conv2d(b, type.causal ? concat({causal, ".depthwise_conv"}) : concat({layers, digits(3 * i - 1)}), channels, kernel);
      conv2d(b, type.causal ? concat({causal, ".pointwise_conv"}) : concat({layers, digits(3 * i)}), channels, channels, 1);
    }
    linear(b, type.nemo ? "out" : "linear", channels * left, d, true);
  });
}

/// Records Lasr's subsampling, which is over time only: convolutions between linear layers.
void linear_subsampling(Config c, Builder& b, Expr d) {
  const Expr bins = c.integer("num_mel_bins", 128), channels = c.integer("subsampling_conv_channels", 256),
             kernel = c.integer("subsampling_conv_kernel_size", 5);
  b.scope(Part::embedding, "subsampler", [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    linear(b, "dense_0", bins, d, true);
    conv1d(b, "conv_0", d, d, kernel);
    conv1d(b, "conv_1", d, channels, kernel);
    linear(b, "dense_1", channels, d, true);
  });
}

template <const EncoderType& type>
BackboneOutput encoder(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", type.hidden), f = c.integer("intermediate_size", type.inner),
             n_layers = c.integer("num_hidden_layers", type.layers), n = c.integer("num_attention_heads", type.heads, 1);
  const Expr n_kv = c.integer("num_key_value_heads", attribute.or_else(n), 1),
             h = c.integer("head_dim", attribute.or_else(floor_divide(d, n)));
  const Expr kernel = c.integer("conv_kernel_size", type.kernel);
  const bool bias = c.flag("attention_bias", type.bias && type.attention_bias), convolution_bias = c.flag("convolution_bias", type.bias);
  if (type.relative)
    subsampling(c, b, d, type);
  else
    linear_subsampling(c, b, d);
  b.repeat("layers", all(n_layers), [&] {
    require_positive(h);
    fast_conformer_layer(
        b, {.hidden = d, .inner = f, .bias = bias, .norm = type.norm},
        [&] {
          const InBlock block(b, {.mechanism = Mechanism::attention, .heads = n, .kv_heads = n_kv});
          linear(b, type.nemo ? "linear_q" : "q_proj", d, n * h, bias, TensorRole::query);
          linear(b, type.nemo ? "linear_k" : "k_proj", d, n_kv * h, bias, TensorRole::key);
          linear(b, type.nemo ? "linear_v" : "v_proj", d, n_kv * h, bias, TensorRole::value);
          linear(b, type.nemo ? "linear_out" : "o_proj", n * h, d, bias, TensorRole::output);
          if (!type.relative) return;
          linear(b, type.nemo ? "linear_pos" : "relative_k_proj", d, n * h);
          b.parameter(type.nemo ? "pos_bias_u" : "bias_u", {n, h});
          b.parameter(type.nemo ? "pos_bias_v" : "bias_v", {n, h});
        },
        [&] {
          conv1d(b, "pointwise_conv1", d, 2 * d, 1, convolution_bias);
          depthwise_conv1d(b, "depthwise_conv", d, kernel, convolution_bias);
          if (type.causal)
            layer_norm(b, "norm", d);
          else
            batch_norm(b, type.nemo ? "batch_norm" : "norm", d);
          conv1d(b, "pointwise_conv2", d, d, 1, convolution_bias);
        });
  });
  if (!type.relative) norm(b, type.norm, "out_norm", d);
  return {.hidden = d};
}

/// Records the encoder of a model with a CTC head, but not the head.
template <const Family& of>
BackboneOutput ctc_backbone(Config c, Builder& b) {
  return nested(c.section("encoder_config"), b, "encoder", of);
}
template <std::uint64_t vocabulary>
void ctc_head(Config c, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] { conv1d(b, "ctc_head", m.hidden, c.integer("vocab_size", vocabulary), 1); });
}

/// Records what a transducer has after the encoder: a projection of the encoder's output, the text predictor and the joint network.
void transducer(Config c, Builder& b, Expr d_encoder, std::uint64_t vocabulary, Expr durations) {
  const Expr vocab = c.integer("vocab_size", vocabulary), d = c.integer("decoder_hidden_size", 640),
             n_layers = c.integer("num_decoder_layers", 2);
  b.tower(Tower::projector, "", [&] { linear(b, "encoder_projector", d_encoder, d, true); });
  b.scope("decoder", [&] {
    embedding(b, "embedding", vocab, d, TensorRole::token_embedding);
    b.part(Part::state_space, [&] {
      lstm(b, "lstm", d, d, n_layers);
      const InBlock block(b, {Mechanism::prediction_projection});
      linear(b, "decoder_projector", d, d, true);
    });
  });
  b.part(Part::output_head, [&] { linear(b, "joint.head", d, durations ? vocab + durations : vocab, true); });
}

/// The number of entries in `durations`, which a TDT transducer predicts.
Expr durations_of(Config c) {
  if (const Json given = c.peek("durations"); given && given.is_null())
    c.refuse(ErrorCode::wrong_type, "durations", "must be a list of integers.");
  return c.count("num_durations", "N_t", "Number of durations: the entries of durations.", c.integers("durations", {0, 1, 2, 3, 4}).size());
}

template <const Family& of, std::uint64_t vocabulary, bool durations = false>
BackboneOutput transducer_backbone(Config c, Builder& b) {
  BackboneOutput heard;
  b.tower(Tower::audio, "encoder", [&] { heard = nested(c.section("encoder_config"), b, "", of); });
  transducer(c, b, heard.hidden, vocabulary, durations ? durations_of(c) : Expr{});
  return {};
}

/// Records a transducer with an encoder of any model type and a projector that combines the encoder's output with a prompt. The prompt
/// selects the language.
BackboneOutput prompted_backbone(Config c, Builder& b) {
  const Expr n_prompts = c.integer("num_prompts", 128), inner = c.integer("prompt_intermediate_size", 2048);
  BackboneOutput heard;
  b.tower(Tower::audio, "encoder", [&] { heard = nested_auto(c.section("encoder_config"), b, "", "nemotron_asr_streaming_encoder"); });
  transducer(c, b, heard.hidden, 13088, {});
  b.tower(Tower::projector, "prompt_projector", [&] {
    linear(b, "linear_1", heard.hidden + n_prompts, inner, true);
    linear(b, "linear_2", inner, heard.hidden, true);
  });
  return {};
}

void nothing(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Architecture parakeet_encoders[] = {{"ParakeetEncoder", Head::none, ""}}, parakeet_ctcs[] = {{"ParakeetForCTC", Head::ctc, ""}},
                       parakeet_rnnts[] = {{"ParakeetForRNNT", Head::other, ""}}, parakeet_tdts[] = {{"ParakeetForTDT", Head::other, ""}},
                       lasr_encoders[] = {{"LasrEncoder", Head::none, ""}}, lasr_ctcs[] = {{"LasrForCTC", Head::ctc, ""}},
                       streaming_encoders[] = {{"NemotronAsrStreamingEncoder", Head::none, ""}},
                       streaming_rnnts[] = {{"NemotronAsrStreamingForRNNT", Head::other, ""}},
                       nemotron_rnnts[] = {{"Nemotron3_5AsrForRNNT", Head::other, ""}};

}  // namespace

extern const Family lasr_ctc{
    .model_type = "lasr_ctc",
    .summary = "Speech recognition: Lasr's conformer with a CTC head.",
    .classes = {.listed = lasr_ctcs},
    .backbone = ctc_backbone<lasr_encoder>,
    .head = ctc_head<512>,
};
extern const Family lasr_encoder{
    .model_type = "lasr_encoder",
    .summary = "Conformer speech encoder with RoPE.",
    .classes = {.listed = lasr_encoders},
    .backbone = encoder<lasr_type>,
};
extern const Family nemotron3_5_asr{
    .model_type = "nemotron3_5_asr",
    .summary = "Streaming speech recognition: a transducer (RNN-T) prompted with the language.",
    .classes = {.listed = nemotron_rnnts},
    .backbone = prompted_backbone,
    .head = nothing,
};
extern const Family nemotron_asr_streaming{
    .model_type = "nemotron_asr_streaming",
    .summary = "Streaming speech recognition: a cache-aware conformer transducer (RNN-T).",
    .classes = {.listed = streaming_rnnts},
    .backbone = transducer_backbone<nemotron_asr_streaming_encoder, 1025>,
    .head = nothing,
};
extern const Family nemotron_asr_streaming_encoder{
    .model_type = "nemotron_asr_streaming_encoder",
    .summary = "Like Parakeet's encoder, with causal convolutions for streaming.",
    .classes = {.listed = streaming_encoders},
    .backbone = encoder<streaming_type>,
};
extern const Family parakeet_ctc{
    .model_type = "parakeet_ctc",
    .summary = "Speech recognition: FastConformer with a CTC head.",
    .classes = {.listed = parakeet_ctcs},
    .backbone = ctc_backbone<parakeet_encoder>,
    .head = ctc_head<1025>,
};
// The encoders of Nemotron-H Omni, Canary and Cohere's recogniser. They are like Parakeet's, with different defaults. The files of Cohere's
// recogniser have NeMo's module names.
extern const Family nemotron_h_omni_encoder{
    .model_type = "parakeet_encoder",
    .backbone = encoder<omni_type>,
};
extern const Family canary_encoder{
    .model_type = "parakeet_encoder",
    .backbone = encoder<canary_type>,
};
extern const Family cohere_asr_encoder{
    .model_type = "parakeet_encoder",
    .backbone = encoder<cohere_type>,
};

extern const Family parakeet_encoder{
    .model_type = "parakeet_encoder",
    .summary = "FastConformer speech encoder.",
    .classes = {.listed = parakeet_encoders},
    .backbone = encoder<parakeet_type>,
};
extern const Family parakeet_rnnt{
    .model_type = "parakeet_rnnt",
    .summary = "Speech recognition: FastConformer transducer (RNN-T).",
    .classes = {.listed = parakeet_rnnts},
    .backbone = transducer_backbone<parakeet_encoder, 8193>,
    .head = nothing,
};
extern const Family parakeet_tdt{
    .model_type = "parakeet_tdt",
    .summary = "Speech recognition: token-and-duration transducer (TDT).",
    .classes = {.listed = parakeet_tdts},
    .backbone = transducer_backbone<parakeet_encoder, 8193, true>,
    .head = nothing,
};

}  // namespace param_ledger
