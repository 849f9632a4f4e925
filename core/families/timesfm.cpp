// TimesFM: a decoder on patches of a time series that predicts future values and quantiles.
// Source: transformers, models/timesfm, timesfm2_5.

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

struct Sizes {
  Expr d, f, n_layers, n, h, patch, horizon;
};

Sizes sizes_of(Config c, std::uint64_t layers) {
  return {c.integer("hidden_size", 1280),
          c.integer("intermediate_size", 1280),
          c.integer("num_hidden_layers", layers),
          c.integer("num_attention_heads", 16),
          c.integer("head_dim", 80),
          c.integer("patch_length", 32),
          c.integer("horizon_length", 128)};
}

/// Records a residual block: two layers, and one on the shortcut.
void residual_block(Builder& b, Text name, Expr in, Expr inner, Expr out, bool bias) {
  b.scope(name, [&] {
    linear(b, "input_layer", in, inner, bias);
    linear(b, "output_layer", inner, out, bias);
    linear(b, "residual_layer", in, out, bias);
  });
}

/// The number of outputs per predicted value: the mean and the quantiles.
Expr predictions(Config c) {
  const Json given = c.peek("quantiles");
  constexpr Count usual = 9;
  if (given && !given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, "quantiles", "must be a list.");
  c.consume("quantiles");
  return c.literal(1 + (given ? given.size() : usual));
}

/// Records attention with learned scales on the queries, which both versions have.
void scaled_attention(Builder& b, const Attention& a) {
  attention(b, "self_attn", a);
  b.scope(Part::attention, "self_attn", [&] { b.parameter("scaling", {a.head_dim}); });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Sizes s = sizes_of(c, 50);
  const Expr frequencies = c.integer("freq_size", 3);
  if (c.flag("use_positional_embedding", false))
    b.part(Part::embedding, [&] { b.buffer("position_emb.inv_timescales", {floor_divide(s.d, c.literal(2))}); });
  b.part(Part::embedding, [&] { residual_block(b, "input_ff_layer", 2 * s.patch, s.f, s.d, true); });
  embedding(b, "freq_emb", frequencies, s.d);
  b.repeat("layers", all(s.n_layers), [&] {
    scaled_attention(b, {.hidden = s.d, .heads = s.n, .head_dim = s.h, .qkv_bias = true, .output_bias = true, .scaled_by_head_dim = false});
    mlp(b, "mlp", s.d, s.f, true, "gate_proj", "down_proj");
    layer_norm(b, "mlp.layer_norm", s.d);
    rms_norm(b, "input_layernorm", s.d);
  });
  return {.hidden = s.d};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const Sizes s = sizes_of(c, 50);
  b.part(Part::output_head, [&] { residual_block(b, "horizon_ff_layer", m.hidden, s.f, s.horizon * predictions(c), true); });
}

BackboneOutput backbone_2_5(Config c, Builder& b) {
  const Sizes s = sizes_of(c, 20);
  const Expr n_kv = c.integer("num_key_value_heads", 16);
  const bool attention_bias = c.flag("attention_bias", false), bias = c.flag("use_bias", false);
  b.part(Part::embedding, [&] { residual_block(b, "input_ff_layer", 2 * s.patch, s.d, s.d, true); });
  b.repeat("layers", all(s.n_layers), [&] {
    scaled_attention(b, {.hidden = s.d,
                         .heads = s.n,
                         .kv_heads = n_kv,
                         .head_dim = s.h,
                         .qkv_bias = attention_bias,
                         .output_bias = attention_bias,
                         .head_norms = QkNorm::per_head,
                         .scaled_by_head_dim = false});
    mlp(b, "mlp", s.d, s.f, bias, "ff0", "ff1");
    for (const Text name : {"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"})
      rms_norm(b, name, s.d);
  });
  return {.hidden = s.d};
}

/// Records TimesFM 2.5's head, which has no biases, regardless of use_bias.
void head_2_5(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const Expr horizon = c.integer("horizon_length", 128), spread = c.integer("output_quantile_len", 1024), each = predictions(c);
  b.part(Part::output_head, [&] {
    residual_block(b, "output_projection_point", m.hidden, m.hidden, horizon * each, false);
    residual_block(b, "output_projection_quantiles", m.hidden, m.hidden, spread * each, false);
  });
}

constexpr Architecture classes[] = {{"TimesFmModel", Head::none, ""}, {"TimesFmModelForPrediction", Head::other, "decoder"}};
constexpr Architecture classes_2_5[] = {{"TimesFm2_5Model", Head::none, ""}, {"TimesFm2_5ModelForPrediction", Head::other, "model"}};

}  // namespace

extern const Family timesfm{
    .model_type = "timesfm",
    .summary = "Time-series forecasting: a decoder on patches of the series.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};
extern const Family timesfm2_5{
    .model_type = "timesfm2_5",
    .summary = "Like TimesFM, with RoPE.",
    .classes = {.listed = classes_2_5},
    .backbone = backbone_2_5,
    .head = head_2_5,
};

}  // namespace param_ledger
