// SAM 3 with a small text model. Unless use_repmixer_blocks is false, its first and last layer mix tokens by convolutions instead of
// attention.
// Source: transformers, models/sam3_lite_text.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/sam3.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

extern const Family sam3_lite_text_text_model, sam3_vision_model;

namespace {

BackboneOutput text_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 49408), positions = c.integer("max_position_embeddings", 77), one = c.literal(1);
  const VisionLayers m = vision_fields(c, {512, 2048, 12, 8});
  const Expr d = m.attention.hidden, n_layers = m.n_layers, shared = c.integer("projection_dim", 512);
  const bool mixes = c.flag("use_repmixer_blocks", true);
  const Expr kernel = c.integer("repmixer_kernel_size", 11);
  b.part(Part::embedding, [&] {
    table(b, "embeddings.token_embedding", vocab, d);
    b.parameter("embeddings.position_embedding.position_embedding", {one, one, positions, d}, StorageKind::table);
  });
  const Split layers = split(c, n_layers, "num_mixing_layers", "L_m", "Layers with convolutional token mixing.",
                             [&](std::size_t i) { return mixes && (i == 0 || i + 1 == n_layers.decide()); });
  b.repeat("layers", layers.in, [&] {
    b.scope(Part::convolution, "", [&] {
      b.parameter("layer_scale", {d, one, one});
      b.parameter("token_mixer.layer_scale", {d, one, one});
      batch_norm(b, "token_mixer.reference_batchnorm", d);
      batch_norm(b, "token_mixer.mixer.batchnorm_skip", d);
      conv2d(b, "token_mixer.mixer.conv", one, d, Kernel(Size(1), Size(kernel)), false);
      batch_norm(b, "token_mixer.mixer.batchnorm_conv", d);
      conv2d(b, "conv_feed_forward.depthwise_conv", one, d, Kernel(Size(1), Size(kernel)), false);
      batch_norm(b, "conv_feed_forward.depthwise_batchnorm", d);
    });
    b.part(Part::feed_forward, [&] {
      conv2d(b, "conv_feed_forward.mlp.fc1", d, m.inner, 1);
      conv2d(b, "conv_feed_forward.mlp.fc2", m.inner, d, 1);
    });
  });
  b.repeat("layers", layers.out, [&] {
    layer_norm(b, "layer_norm1", d);
    attention(b, "self_attn", m.attention);
    layer_norm(b, "layer_norm2", d);
    mlp(b, "mlp", d, m.inner, true, "fc1", "fc2");
  });
  layer_norm(b, "final_layer_norm", d);
  b.tower(Tower::projector, "", [&] { linear(b, "projection", d, shared); });
  return {.hidden = d};
}

Expr text(Config c, Builder& b) {
  Config section = c.section("text_config");
  require_type(section, "sam3_lite_text_text_model");
  return nested(section, b, "text_encoder", sam3_lite_text_text_model).hidden;
}

BackboneOutput backbone(Config c, Builder& b) {
  sam3_detector(c, b, sam3_vision_model, text);
  return {};
}

}  // namespace

extern const Family sam3_lite_text{
    .model_type = "sam3_lite_text",
    .summary = "Like SAM 3, with a smaller text encoder.",
    .classes = {"Sam3LiteText", heads::base, ""},
    .backbone = backbone,
};
extern const Family sam3_lite_text_text_model{
    .model_type = "sam3_lite_text_text_model",
    .summary = "Small text encoder of SAM 3 LiteText.",
    .classes = {"Sam3LiteTextText", heads::base, ""},
    .backbone = text_backbone,
};

}  // namespace param_ledger
