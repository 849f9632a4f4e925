// X-Codec 2 and NeuCodec: a speech encoder (by default w2v-BERT 2.0) for semantics, DAC's encoder for acoustics, scalar quantization, and a
// transformer that generates the spectrum. Source: transformers, models/xcodec2, neucodec.

#include "core/nn/audio/codec.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

// The semantic model that transformers builds if semantic_model_config is missing; defined in wav2vec2_bert.cpp.
extern const Family unnamed_semantic_model;

namespace {

/// Records two residual blocks of convolutions with group norm.
void residual_blocks(Builder& b, Text name, Expr d) {
  b.repeat(name, all(b.pool().literal(2)), [&] {
    require_multiple(d, b.pool().literal(32));
    group_norm(b, "norm1", d);
    conv1d(b, "conv1", d, d, 3);
    group_norm(b, "norm2", d);
    conv1d(b, "conv2", d, d, 3);
  });
}

/// The number of output samples per code. If `resamples` (NeuCodec), the output's sampling rate may differ from the input's.
Expr hop(Config c, const std::vector<Expr>& ratios, bool resamples) {
  Expr heard = c.literal(1);
  for (const Expr ratio : ratios) heard = heard * ratio;
  if (!resamples) return heard;
  const Expr in = c.integer("input_sampling_rate", 16000, 1), out = c.integer("output_sampling_rate", 24000);
  return floor_divide(heard * out, in);
}

/// Records the semantic model. Returns its hidden size. The output width may differ from this if there is an adapter.
Expr semantic_model(Config c, Builder& b) {
  const Text section = "semantic_model_config", name = "semantic_encoder";
  Config own = c.section(section);
  const BackboneOutput out =
      is_given(c, section) ? nested_auto(own, b, name, "wav2vec2-bert") : nested(own, b, name, unnamed_semantic_model);
  const Expr d = c.pool().find(own.full_name("hidden_size"));
  return d ? d : out.hidden;
}

template <bool resamples>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 4096), n_layers = c.integer("num_hidden_layers", 12),
             n = c.integer("num_attention_heads", 16, 1);
  const Expr n_kv = c.integer("num_key_value_heads", 16, 1), h = c.integer("head_dim", 64);
  const bool bias = c.flag("attention_bias", false);
  const Expr first = c.integer("encoder_hidden_size", 48), wide = c.integer("quantization_dim", 2048);
  const std::vector<Expr> ratios = c.dimensions("downsampling_ratios", {2, 2, 4, 4, 5});
  const Expr spectrum = 4 * hop(c, ratios, resamples) + 2;
  if (const Json levels = c.peek("quantization_levels"); levels && !levels.is(Json::Type::list))
    c.refuse(ErrorCode::wrong_type, "quantization_levels", "must be a list of integers.");
  const Expr n_levels = c.count("num_quantization_levels", "N_g", "Dimensions of the code grid: the entries of quantization_levels.",
                                c.integers("quantization_levels", {4, 4, 4, 4, 4, 4, 4, 4}).size());
  require_multiple(d, n);

  const Expr d_meaning = semantic_model(c, b), both = d + d_meaning;
  b.tower(Tower::projector, "semantic_adapter", [&] {
    conv1d(b, "conv1", d_meaning, d_meaning, 3, false);
    conv1d(b, "conv2", d_meaning, d_meaning, 3);
    conv1d(b, "conv3", d_meaning, d_meaning, 3);
    conv1d(b, "conv4", d_meaning, d_meaning, 3, false);
  });
  b.scope("acoustic_encoder", [&] { dac_encoder(b, first, ratios, d, Snake::with_beta); });
  b.tower(Tower::projector, "", [&] {
    linear(b, "fc_encoder", both, both, true);
    linear(b, "quantizer.project_in", wide, n_levels, true);
    linear(b, "quantizer.project_out", n_levels, wide, true);
  });
  b.scope("acoustic_decoder", [&] {
    b.tower(Tower::projector, "", [&] { linear(b, "fc", both, d, true); });
    b.part(Part::convolution, [&] {
      conv1d(b, "embed", d, d, 7);
      residual_blocks(b, "prior_net", d);
    });
    b.repeat("layers", all(n_layers), [&] {
      attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
      mlp(b, "mlp", d, f, false, "fc1", "fc2");
      rms_norm(b, "input_layernorm", d);
      rms_norm(b, "post_attention_layernorm", d);
    });
    b.part(Part::convolution, [&] { residual_blocks(b, "post_net", d); });
    layer_norm(b, "norm", d);
    b.part(Part::output_head, [&] { linear(b, "head.linear", d, spectrum, true); });
  });
  return {.hidden = d};
}

constexpr Architecture classes[] = {{"Xcodec2Model", Head::none, ""}}, neucodec_classes[] = {{"NeuCodecModel", Head::none, ""}};

}  // namespace

extern const Family neucodec{
    .model_type = "neucodec",
    .summary = "Like X-Codec 2, with an upsampling decoder.",
    .classes = {.listed = neucodec_classes},
    .backbone = backbone<true>,
};
extern const Family xcodec2{
    .model_type = "xcodec2",
    .summary = "Neural speech codec with acoustic and semantic encoders and finite scalar quantization.",
    .classes = {.listed = classes},
    .backbone = backbone<false>,
};

}  // namespace param_ledger
