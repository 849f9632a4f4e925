// Phi-4 multimodal: Phi-3 with SigLIP's vision tower and a conformer, each with a two-layer projector.
// Source: transformers, models/phi4_multimodal.

#include "core/expr/index_set.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType text_type{.sizes = {3072, 8192, 32, 200064, 32},
                              .kv_heads = fixed_not_null(8),
                              .head_dim = attribute,
                              .layout = {.attention = {.fused = "qkv_proj"}, .feed_forward = FeedForward::gated_fused}};

void image_embedding(Config c, Builder& b, Expr d) {
  c.consume("model_type");
  b.scope("image_embed", [&] {
    Expr d_vision;
    b.tower(Tower::vision, "img_processor", [&] {
      const VisionLayers m = siglip_encoder(c, b, {1152, 4304, 27, 16, 448, 14});
      d_vision = m.attention.hidden;
      layer_norm(b, "post_layernorm", d_vision);
      attention_pool(b, "head", m);
    });
    b.tower(Tower::projector, "", [&] {
      linear(b, "img_projection_up", d_vision, d, true);
      linear(b, "img_projection_down", d, d, true);
      const Expr one = c.literal(1);
      b.parameter("global_img_feature_extensor", {one, one, d_vision});
      b.parameter("sub_img_feature_extensor", {one, one, one, d_vision});
    });
  });
}

/// Convolutions that halve time and frequency until time_reduction is reached: the first one is dense, the others are depthwise followed by
/// pointwise.
void subsampling(Config c, Builder& b, Expr d, Expr bands) {
  const Expr reduction = c.integer("time_reduction", 8, 1), channels = c.integer("nemo_conv_channels", 1024);
  if (reduction.decide() % 2 != 0) c.refuse(ErrorCode::not_divisible, "time_reduction", "must be a multiple of 2.");
  std::vector<std::uint64_t> depthwise, pointwise;
  Expr left = ceil_divide(bands, c.literal(2));
  for (std::uint64_t i = 4, place = 2; i <= reduction.decide(); i *= 2, place += 3) {
    depthwise.push_back(place);
    pointwise.push_back(place + 1);
    left = ceil_divide(left, c.literal(2));
  }
  const Expr one = c.literal(1), three = c.literal(3), times = c.literal(depthwise.size());
  b.scope(Part::embedding, "embed", [&] {
    b.repeat("conv", only(0), [&] { convolution(b, "", one, channels, {three, three}); });
    if (!depthwise.empty()) {
      b.repeat("conv", listed(depthwise, times), [&] { convolution(b, "", one, channels, {three, three}); });
      b.repeat("conv", listed(pointwise, times), [&] { convolution(b, "", channels, channels, {one, one}); });
    }
    linear(b, "out", channels * c.integer("nemo_final_size", attribute.or_else(left)), d, true);
  });
}

/// Returns the output width.
Expr audio(Config c, Builder& b) {
  c.consume("model_type");
  const Expr d = c.integer("hidden_size", 1024), f = c.integer("intermediate_size", 1536), n_layers = c.integer("num_blocks", 24);
  const Expr n = c.integer("num_attention_heads", 16, 1), h = c.integer("head_dim", attribute.or_else(floor_divide(d, n))),
             bands = c.integer("input_size", 80);
  const Expr glu = c.integer("ext_pw_out_channel", 1024), separable = c.integer("depthwise_separable_out_channel", 1024);
  const Expr deep = c.integer("depthwise_multiplier", 1) * d, kernel = c.integer("kernel_size", 3), one = c.literal(1);
  const Expr distance = c.integer("bias_max_distance", 1000), buckets = c.flag("bias_symmetric", false) ? distance : 2 * distance;
  const auto feed_forward = [&](Text name) {
    b.scope(name, [&] {
      layer_norm(b, "layer_norm", d);
      fused_gated_mlp(b, "", d, f, true);
    });
  };
  b.tower(Tower::audio, "encoder", [&] {
    b.part(Part::embedding, [&] {
      b.buffer("encoder_embedding.global_mean", {bands});
      b.buffer("encoder_embedding.global_invstd", {bands});
    });
    subsampling(c, b, d, bands);
    b.part(Part::attention, [&] { table(b, "relative_attention_bias_layer.bias_values", buckets, n); });
    b.repeat("encoders", all(n_layers), [&] {
      feed_forward("feed_forward_in");
      attention(b, "self_attn", {.hidden = d, .heads = n, .head_dim = h, .qkv_bias = true, .output_bias = true});
      b.scope(Part::feed_forward, "conv", [&] {
        layer_norm(b, "layer_norm", d);
        b.parameter("glu.b1", {one, glu, one});
        b.parameter("glu.b2", {one, glu, one});
        convolution(b, "glu.ext_pw_conv_1d", d, 2 * glu, {one});
        depthwise_conv1d(b, "dw_sep_conv_1d.dw_conv", deep, kernel, true);
        convolution(b, "dw_sep_conv_1d.pw_conv", deep, separable, {one});
        convolution(b, "ext_pw_conv_1d", d, glu, {one});
      });
      feed_forward("feed_forward_out");
      layer_norm(b, "layer_norm_att", d);
      layer_norm(b, "layer_norm", d);
    });
  });
  return d;
}

void audio_embedding(Config c, Builder& b, Expr d) {
  b.scope("audio_embed", [&] {
    const Expr joined = audio(c, b) * c.integer("downsample_rate", 1);
    b.tower(Tower::projector, "", [&] {
      linear(b, "up_proj_for_speech", joined, d, true);
      linear(b, "down_proj_for_speech", d, d, true);
      linear(b, "up_proj_for_vision_speech", joined, d, true);
      linear(b, "down_proj_for_vision_speech", d, d, true);
    });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput out = llama_type(c, b, text_type);
  b.scope("embed_tokens_extend", [&] {
    image_embedding(c.section("vision_config"), b, out.hidden);
    audio_embedding(c.section("audio_config"), b, out.hidden);
  });
  return out;
}

}  // namespace

extern const Family phi4_multimodal{
    .model_type = "phi4_multimodal",
    .summary = "Phi-3 with towers for images and sound.",
    .classes = {"Phi4Multimodal", heads::decoder},
    .backbone = backbone,
    .cache = caches::windowed(),
};

}  // namespace param_ledger
