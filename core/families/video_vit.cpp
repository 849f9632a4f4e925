// Vision transformers for video. In ViViT and VideoMAE, patches may span several frames. TimeSformer has separate attention over time and
// over space by default. Source: transformers, models/vivit, videomae, timesformer.

#include "core/nn/heads.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VisionDefaults base{768, 3072, 12, 12, 224, 16};

/// Reads ViViT's own fields. One field gives the frames, height and width of a patch.
void tubelet(Config c, Vit& m) {
  qkv_bias(c, m);
  m.duration = c.integer("num_frames", 32);
  const std::vector<Expr> sizes = c.dimensions("tubelet_size", {2, 16, 16});
  if (sizes.size() != 3) c.refuse(ErrorCode::out_of_range, "tubelet_size", "must be a list of three integers: frames, height and width.");
  m.frames = sizes[0];
  m.patch = {sizes[1], sizes[2]};
}
constexpr VitType vivit_type{{768, 3072, 12, 12, 224}, {.pooler = true}, tubelet};

/// Reads VideoMAE's own fields. Its positions are not learned. Keys have no biases; those of queries and values are recorded by
/// videomae_layers.
void masked_video(Config c, Vit& m) {
  m.layers.attention.qkv_bias = false;
  m.frames = c.integer("tubelet_size", 2);
  m.duration = c.integer("num_frames", 16);
  if (c.flag("use_mean_pooling", true)) m.last_norm = "";
}
constexpr VitType videomae_type{
    .sizes = base, .layout = {.class_token = false, .positions = false}, .switches = masked_video, .own_head_dim = false};

void videomae_layers(Builder& b, const VisionLayers& m, bool biased) {
  vision_layers(b, m);
  if (!biased) return;
  b.repeat(m.layers, all(m.n_layers), [&] {
    b.part(Part::attention, [&] {
      for (const Text name : {"attention.attention.q_bias", "attention.attention.v_bias"}) b.parameter(name, {m.attention.hidden});
    });
  });
}

/// Whether queries and values have biases. The old field qkv_bias takes precedence over qv_bias.
bool has_biases(Config c) {
  const bool own = c.flag("qv_bias", true);
  return c.has("qkv_bias") ? c.flag("qkv_bias", true) : own;
}

BackboneOutput videomae_backbone(Config c, Builder& b) {
  const bool biased = has_biases(c);
  const Vit m = vit_fields(c, videomae_type);
  vit_embeddings(b, m);
  videomae_layers(b, m.layers, biased);
  if (!m.last_norm.empty()) layer_norm(b, m.last_norm, m.layers.attention.hidden);
  return {.hidden = m.layers.attention.hidden};
}

void videomae_head(Config c, Builder& b, const BackboneOutput& m) {
  const Vit encoder = vit_fields(c, videomae_type);
  if (b.architecture().head == Head::video_classification) {
    if (encoder.last_norm.empty()) layer_norm(b, "fc_norm", m.hidden);
    return classifier(c, b, "classifier", m.hidden);
  }
  if (b.architecture().head != Head::pretraining) return;
  VisionLayers layers = encoder.layers;
  const Expr d = c.integer("decoder_hidden_size", 384);
  layers.attention.hidden = d;
  layers.attention.heads = c.integer("decoder_num_attention_heads", 6, 1);
  layers.n_layers = c.integer("decoder_num_hidden_layers", 4);
  layers.inner = c.integer("decoder_intermediate_size", 1536);
  layers.layers = "decoder.decoder_layers";
  require_equal(encoder.patch.height, encoder.patch.width);
  b.part(Part::embedding, [&] {
    linear(b, "encoder_to_decoder", m.hidden, d);
    tokens(b, "mask_token", 1, d);
  });
  videomae_layers(b, layers, has_biases(c));
  layer_norm(b, "decoder.norm", d);
  const Expr values = encoder.channels * encoder.frames * power(encoder.patch.height, 2);
  if (values.decide() > 0) b.part(Part::output_head, [&] { linear(b, "decoder.head", d, values, true); });
}

constexpr std::string_view attentions[] = {"divided_space_time", "space_only", "joint_space_time"};
constexpr VisionLayers fused_layers = [] {
  VisionLayers m = vit_layers;
  m.attention.fused = "attention.qkv";
  return m;
}();
constexpr VitType timesformer_type{.sizes = base, .layout = {.layers = fused_layers}, .switches = qkv_bias, .own_head_dim = false};

BackboneOutput timesformer_backbone(Config c, Builder& b) {
  const std::string_view kind = c.text("attention_type", "divided_space_time", attentions);
  const Expr frames = c.integer("num_frames", 8);
  Vit m = vit_fields(c, timesformer_type);
  m.layers.attention.even_share = false;
  const Expr d = m.layers.attention.hidden;
  if (kind != "space_only") b.scope(Part::embedding, "embeddings", [&] { tokens(b, "time_embeddings", frames, d); });
  const BackboneOutput out = vit_model(c, b, m);
  if (kind == "divided_space_time")
    b.repeat(m.layers.layers, all(m.layers.n_layers), [&] {
      layer_norm(b, "temporal_layernorm", d);
      attention(b, "temporal_attention", m.layers.attention);
      b.part(Part::attention, [&] { linear(b, "temporal_dense", d, d, true); });
    });
  return out;
}

constexpr unsigned videos = heads::base | heads::video;

}  // namespace

extern const Family timesformer{
    .model_type = "timesformer",
    .summary = "Video classification: ViT with divided space-time attention.",
    .classes = {"Timesformer", videos, "timesformer"},
    .backbone = timesformer_backbone,
    .head = vision_head,
};
extern const Family videomae{
    .model_type = "videomae",
    .summary = "Masked autoencoder for video: ViT with tube patches.",
    .classes = {"VideoMAE", videos | heads::pretraining, "videomae"},
    .backbone = videomae_backbone,
    .head = videomae_head,
};
extern const Family vivit{
    .model_type = "vivit",
    .summary = "Video classification: ViT with tubelet embeddings.",
    .classes = {"Vivit", videos, "vivit"},
    .backbone = vit_of_type<vivit_type>,
    .head = vision_head,
};

}  // namespace param_ledger
