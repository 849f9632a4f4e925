// PatchTST and PatchTSMixer: patches of a time series are processed by a transformer (PatchTST), or mainly by MLPs, each of which mixes
// along one dimension (PatchTSMixer).
// Source: transformers, models/patchtst, patchtsmixer.

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Alias patchtst_aliases[] = {{"hidden_size", "d_model"}};
constexpr Alias mixer_aliases[] = {{"hidden_size", "d_model"}, {"num_hidden_layers", "num_layers"}};

/// The number of patches in a series. The series must be longer than one patch.
Expr patches(Config c, std::uint64_t length, std::uint64_t stride) {
  const Expr context = c.integer("context_length", 32), patch = c.integer("patch_length", length), step = c.integer("patch_stride", stride);
  if (context.decide() <= patch.decide()) c.refuse(ErrorCode::out_of_range, "context_length", "must be greater than patch_length.");
  return floor_divide(context - patch, step) + 1;
}

/// Checks the type of the positions, which are stored as a parameter whether they are random or sinusoidal. Throws for sinusoids of odd
/// width, which transformers cannot build. Returns whether they are sinusoidal.
bool check_positions(Config c, Expr d) {
  static constexpr std::string_view kinds[] = {"sincos", "random"};
  const bool sinusoids = c.text("positional_encoding_type", "sincos", kinds) == "sincos";
  if (sinusoids) require_multiple(d, c.literal(2));
  return sinusoids;
}

/// Records attention whose four projections have biases, with as many key-value heads as query heads.
void time_attention(Builder& b, Text name, Expr d, Expr heads) {
  attention(b, name, {.hidden = d, .heads = heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
}

BackboneOutput patchtst_backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 128), f = c.integer("ffn_dim", 512), n_layers = c.integer("num_hidden_layers", 3);
  const Expr n = c.integer("num_attention_heads", 4), channels = c.integer("num_input_channels", 1), count = patches(c, 1, 1);
  const Expr patch = c.integer("patch_length", 1);
  const bool shared = c.flag("share_embedding", true), across = c.flag("channel_attention", false), bias = c.flag("bias", true);
  const bool first = c.flag("use_cls_token", false);
  static constexpr std::string_view norms[] = {"batchnorm", "layernorm"};
  const bool batch = c.text("norm_type", "batchnorm", norms) == "batchnorm";
  const bool sinusoids = check_positions(c, d);
  b.scope(Part::embedding, "encoder", [&] {
    if (shared)
      linear(b, "embedder.input_embedding", patch, d, true);
    else
      b.repeat("embedder.input_embedding", all(channels), [&] { linear(b, "", patch, d, true); });
    const Expr one = c.literal(1);
    if (first) b.parameter("positional_encoder.cls_token", {one, one, one, d});
    b.parameter("positional_encoder.position_enc", {first ? count + 1 : count, d}, StorageKind::table);
    if (sinusoids) record_block(b, {Mechanism::sinusoidal_positions}, "positional_encoder.position_enc");
  });
  const auto norm_of = [&](Text name) {
    if (batch)
      b.scope(name, [&] { batch_norm(b, "batchnorm", d); });
    else
      layer_norm(b, name, d);
  };
  b.repeat("encoder.layers", all(n_layers), [&] {
    time_attention(b, "self_attn", d, n);
    norm_of("norm_sublayer1");
    if (across) norm_of("norm_sublayer2");
    mlp(b, "ff", d, f, bias, "0", "3");
    norm_of("norm_sublayer3");
  });
  return {.hidden = d};
}

/// The sizes and options of an MLP that mixes along one dimension of a series.
struct Mixer {
  Expr d, expansion;
  bool batch, gated;
};

void mixer_norm(Builder& b, Text name, const Mixer& m) {
  b.scope(name, [&] {
    if (m.batch)
      batch_norm(b, "norm.batchnorm", m.d);
    else
      layer_norm(b, "norm", m.d);
  });
}

void mix(Builder& b, Text name, const Mixer& m, Expr width) {
  b.scope(name, [&] {
    mixer_norm(b, "norm", m);
    mlp(b, "mlp", width, m.expansion * width, true, "fc1", "fc2");
    if (m.gated) b.part(Part::attention, [&] { linear(b, "gating_block.attn_layer", width, width, true); });
  });
}

BackboneOutput mixer_backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 8), n_layers = c.integer("num_layers", 3), channels = c.integer("num_input_channels", 1);
  const Expr derived = patches(c, 8, 8), patch = c.integer("patch_length", 8);
  const Expr count = c.integer("num_patches", attribute.or_else(derived)), heads = c.integer("self_attn_heads", 1);
  const bool across = c.text("mode", "common_channel") == "mix_channel", attends = c.flag("self_attn", false);
  const bool batch = folded(c.text("norm_mlp", "LayerNorm")).find("batch") != std::string::npos;
  const Mixer m{d, c.integer("expansion_factor", 2), batch, c.flag("gated_attn", true)};
  b.scope(Part::embedding, "encoder", [&] {
    linear(b, "patcher", patch, d, true);
    if (!c.flag("use_positional_encoding", false)) return;
    check_positions(c, d);
    b.parameter("positional_encoder.position_enc", {count, d}, StorageKind::table);
  });
  b.repeat("encoder.mlp_mixer_encoder.mixers", all(n_layers), [&] {
    mix(b, "patch_mixer", m, count);
    if (attends) {
      time_attention(b, "patch_mixer.self_attn_layer", d, heads);
      mixer_norm(b, "patch_mixer.norm_attn", m);
    }
    mix(b, "feature_mixer", m, d);
    if (across) mix(b, "channel_feature_mixer", m, channels);
  });
  return {.hidden = d};
}

/// Records the layer that predicts values, or the parameters of a distribution for each value.
void predict(Config c, Builder& b, Text name, Expr in, Expr out) {
  const std::string_view kind = c.text("distribution_output", "student_t");
  const bool numbers = !c.peek("loss").is_null() && c.text("loss", "mse") == "mse";
  if (numbers) return linear(b, name, in, out, true);
  if (kind != "student_t" && kind != "normal" && kind != "negative_binomial")
    c.refuse(ErrorCode::out_of_range, "distribution_output", "must be \"student_t\", \"normal\" or \"negative_binomial\".");
  b.repeat(concat({name, ".proj"}), all(c.literal(kind == "student_t" ? 3 : 2)), [&] { linear(b, "", in, out, true); });
}

/// Whether a field is a non-empty string. Returns `fallback` if the field is missing.
bool says(Config c, Text name, bool fallback) {
  const Json given = c.peek(name);
  c.consume(name);
  return given ? given.is(Json::Type::string) && !given.string().empty() : fallback;
}

void patchtst_head(Config c, Builder& b, const BackboneOutput& m) {
  const Text name = b.architecture().name;
  if (b.architecture().head == Head::none) return;
  const Expr channels = c.integer("num_input_channels", 1), count = patches(c, 1, 1);
  b.scope(Part::output_head, "head", [&] {
    if (name == "PatchTSTForPretraining") return linear(b, "linear", m.hidden, c.integer("patch_length", 1), true);
    if (name == "PatchTSTForClassification") return linear(b, "linear", channels * m.hidden, c.integer("num_targets", 1), true);
    if (name == "PatchTSTForRegression") return predict(c, b, "projection", channels * m.hidden, c.integer("num_targets", 1));
    const bool pooled = says(c, "pooling_type", true), first = c.flag("use_cls_token", false);
    const Expr in = pooled || first ? m.hidden : m.hidden * count, out = c.integer("prediction_length", 24);
    if (c.flag("share_projection", true)) return predict(c, b, "projection", in, out);
    b.repeat("projections", all(channels), [&] { predict(c, b, "", in, out); });
  });
}

/// Records the layers that combine a series' embedding with its mean and scale.
void inject_scale(Builder& b, Expr d) {
  const Expr two = b.pool().literal(2);
  b.scope(Part::output_head, "inject_scale", [&] {
    linear(b, "inverse_trans_expansion", d + 2, 2 * d, true);
    linear(b, "inverse_trans_compression", 2 * d, d, true);
    linear(b, "map_scale_expansion", two, 2 * two, true);
    linear(b, "map_scale_compression", 2 * two, two, true);
  });
}

void mixer_head(Config c, Builder& b, const BackboneOutput& m) {
  const Text name = b.architecture().name;
  if (b.architecture().head == Head::none) return;
  const Expr count = c.integer("num_patches", attribute.or_else(patches(c, 8, 8)));
  const auto put = [&](auto&& body) { b.scope(Part::output_head, "head", body); };
  if (name == "PatchTSMixerForPretraining") return put([&] { linear(b, "base_pt_block", m.hidden, c.integer("patch_length", 8), true); });
  if (name == "PatchTSMixerForPrediction")
    return put([&] { predict(c, b, "base_forecast_block", count * m.hidden, c.integer("prediction_length", 16)); });
  const Json given = c.peek("head_aggregation"), scaling = c.peek("scaling");
  for (const Text field : {"head_aggregation", "scaling"}) c.consume(field);
  Expr in = m.hidden * c.integer("num_input_channels", 1);
  if (given.is_null()) in = in * count;
  const Expr targets = c.integer("num_targets", 3);
  put([&] {
    if (name == "PatchTSMixerForRegression")
      predict(c, b, "projection", in, targets);
    else
      linear(b, "projection", in, targets, true);
  });
  const bool named = scaling.is(Json::Type::string) && (scaling.string() == "std" || scaling.string() == "mean");
  if (!scaling || named || is_true(scaling)) inject_scale(b, m.hidden);
}

constexpr Architecture patchtst_classes[] = {{"PatchTSTModel", Head::none, ""},
                                             {"PatchTSTForPrediction", Head::other, "model"},
                                             {"PatchTSTForPretraining", Head::other, "model"},
                                             {"PatchTSTForRegression", Head::other, "model"},
                                             {"PatchTSTForClassification", Head::other, "model"}};
constexpr Architecture mixer_classes[] = {{"PatchTSMixerModel", Head::none, ""},
                                          {"PatchTSMixerForPrediction", Head::other, "model"},
                                          {"PatchTSMixerForPretraining", Head::other, "model"},
                                          {"PatchTSMixerForRegression", Head::other, "model"},
                                          {"PatchTSMixerForTimeSeriesClassification", Head::other, "model"}};

}  // namespace

extern const Family patchtsmixer{
    .model_type = "patchtsmixer",
    .summary = "Time-series forecasting: MLP-Mixer on patches of the series.",
    .classes = {.listed = mixer_classes},
    .aliases = mixer_aliases,
    .backbone = mixer_backbone,
    .head = mixer_head,
};
extern const Family patchtst{
    .model_type = "patchtst",
    .summary = "Time-series forecasting: a transformer encoder on patches of the series.",
    .classes = {.listed = patchtst_classes},
    .aliases = patchtst_aliases,
    .backbone = patchtst_backbone,
    .head = patchtst_head,
};

}  // namespace param_ledger
