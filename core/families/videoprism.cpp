// VideoPrism: spatial layers, then temporal layers. The contrastive model adds attention pooling and a text model, to compare videos with
// texts. Source: transformers, models/videoprism.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

extern const Family videoprism_vision_model;

namespace {

/// Reads the fields that all of VideoPrism's models have.
VisionLayers fields(Config c) {
  VisionLayers m{.attention = {.even_share = false, .output_bias = true},
                 .attention_name = "attention",
                 .norm1 = "layernorm_before",
                 .norm2 = "layernorm_after"};
  Attention& a = m.attention;
  a.hidden = c.integer("hidden_size", 768);
  m.inner = c.integer("intermediate_size", 3072);
  a.heads = c.integer("num_attention_heads", 12, 1);
  a.head_dim = c.integer("head_dim", attribute.or_else(floor_divide(a.hidden, a.heads)));
  a.qkv_bias = c.flag("qkv_bias", true);
  return m;
}

void stack(Builder& b, VisionLayers m, Text name, Expr n_layers) {
  m.layers = name;
  m.n_layers = n_layers;
  vision_layers(b, m);
}

BackboneOutput vision_backbone(Config c, Builder& b) {
  const VisionLayers m = fields(c);
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3), frames = c.integer("num_frames", 16);
  const Sides image = c.sides("image_size", 288);
  const std::vector<Expr> tubelet = c.dimensions("tubelet_size", {1, 18, 18});
  const Expr space = c.integer("num_spatial_layers", 12), time = c.integer("num_temporal_layers", 4);
  if (tubelet.size() != 3)
    c.refuse(ErrorCode::out_of_range, "tubelet_size", "must be a list of three integers: frames, height and width.", Refused::list_length);
  b.part(Part::embedding, [&] {
    tubelet_embedding(b, "spatial_embeddings.patch_embeddings.projection", channels, d, {tubelet[0], tubelet[1], tubelet[2]});
    tokens(b, "spatial_embeddings.position_embeddings", area(grid(image, {tubelet[1], tubelet[2]})), d);
    tokens(b, "temporal_embeddings.position_embeddings", frames, d);
  });
  stack(b, m, "spatial_layers", space);
  layer_norm(b, "layernorm1", d);
  stack(b, m, "temporal_layers", time);
  layer_norm(b, "layernorm2", d);
  return {.hidden = d};
}

/// Records attention pooling with one query.
void summary(Config c, Builder& b) {
  const VisionLayers m = fields(c);
  const Expr d = m.attention.hidden, h = floor_divide(m.inner, m.attention.heads), width = m.attention.heads * h;
  require_positive(h);
  b.scope(Part::attention, "head", [&] {
    tokens(b, "pooling_attention_query", 1, d);
    b.parameter("per_dim_scale", {h});
    query_key_value(b, d, width, m.attention.qkv_bias);
    linear(b, "o_proj", width, d, true, TensorRole::output);
  });
  layer_norm(b, "head_layernorm", d);
}

/// Records VideoPrism's vision model, additional layers and attention pooling.
void video(Config c, Builder& b) {
  nested(c, b, "vision_model", videoprism_vision_model);
  stack(b, fields(c), "auxiliary_layers", c.integer("num_auxiliary_layers", 2));
  summary(c, b);
}

void vision_head_of_videos(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::video_classification) return;
  summary(c, b);
  classifier(c, b, "classifier", m.hidden);
}

BackboneOutput text(Config c, Builder& b) {
  const VisionLayers m = fields(c);
  const Expr d = m.attention.hidden, vocab = c.integer("vocab_size", 32000), positions = c.integer("max_position_embeddings", 64);
  require_multiple(d, c.literal(2));  // one half of the position embedding consists of sines, the other of cosines
  Tensor words;
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "cls_emb", 1, d);
    words = table(b, "token_embedding", vocab, d);
    b.buffer("position_embedding", {positions, d});
    b.buffer("position_ids", {c.literal(1), positions});
  });
  stack(b, m, "layers", c.integer("num_hidden_layers", 12));
  layer_norm(b, "layernorm", d);
  return {.hidden = d, .embedding = words};
}

BackboneOutput backbone(Config c, Builder& b) {
  Config seen = c.section("vision_config"), read = c.section("text_config");
  seen.consume("model_type");
  read.consume("model_type");
  b.tower(Tower::vision, "video_model", [&] { video(seen, b); });
  BackboneOutput out;
  b.scope("text_model", [&] { out = text(read, b); });
  return out;
}

constexpr Architecture video_classes[] = {{"VideoPrismVisionModel", Head::none, ""},
                                          {"VideoPrismForVideoClassification", Head::video_classification, "vision_model"}};
constexpr Architecture classes[] = {{"VideoPrismClipModel", Head::none, ""}};

}  // namespace

extern const Family videoprism{
    .model_type = "videoprism",
    .summary = "Contrastive video-text model: a factorized space-time encoder and a text encoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family videoprism_vision_model{
    .model_type = "videoprism_vision_model",
    .summary = "Video encoder of VideoPrism.",
    .classes = {.listed = video_classes},
    .backbone = vision_backbone,
    .head = vision_head_of_videos,
};

}  // namespace param_ledger
