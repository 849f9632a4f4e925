// DEIMv2: like D-FINE, with simpler fusion blocks, a decoder with RMSNorm and gated feed-forward blocks, and optionally a DINOv3 backbone.
// Source: transformers, models/deimv2.

#include "core/nn/nested.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/d_fine.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/hybrid_encoder.hpp"

namespace param_ledger {

extern const Family hgnet_v2;

namespace {

/// The sizes and options of a fusion block.
struct Joint {
  Expr d, inner, n_blocks;
  bool trailing;  ///< whether a convolution follows each branch's blocks
};

void way(Builder& b, Text name, Expr in, const Joint& m) {
  b.scope(name, [&] {
    conv_norm(b, "conv1", in, 2 * m.inner, 1, conv_and_norm);
    b.repeat("bottlenecks", all(m.n_blocks), [&] {
      conv_norm(b, "conv1", m.inner, m.inner, 3, conv_and_norm);
      conv_norm(b, "conv2", m.inner, m.inner, 1, conv_and_norm);
    });
    if (m.trailing) conv_norm(b, "conv2", m.inner, m.inner, 3, conv_and_norm);
  });
}

void joint(Builder& b, const Joint& m) {
  conv_norm(b, "conv1", m.d, 2 * m.d, 1, conv_and_norm);
  way(b, "csp_rep1", m.d, m);
  way(b, "csp_rep2", m.inner, m);
  conv_norm(b, "conv2", 2 * m.d + 2 * m.inner, m.d, 1, conv_and_norm);
}

/// Records the transformer layers on each feature level that encode_proj_layers lists.
void level_layers(Config c, Builder& b, Expr d) {
  const Stack layers = encoder_fields(c, d, {1, 1024, 8});
  require_positive(layers.heads);
  const std::size_t times = c.integers("encode_proj_layers", {2}).size();
  b.repeat("aifi", all(c.count("num_encoded_levels", "L_e", "Feature levels that pass through encoder layers.", times)), [&] {
    b.repeat("layers", all(layers.n_layers), [&] {
      b.scope(Part::attention, "self_attn", [&] {
        query_key_value(b, d, d, true);
        linear(b, "o_proj", d, d, true, TensorRole::output);
      });
      layer_norm(b, "self_attn_layer_norm", d);
      mlp(b, "mlp.layers", d, layers.inner, true, "0", "1");
      layer_norm(b, "final_layer_norm", d);
    });
  });
}

void encoder(Config c, Builder& b, Expr d) {
  const std::vector<Expr> in = c.dimensions("encoder_in_channels", {512, 1024, 2048});
  const Joint m{d, joint_width(c, d), joint_blocks(c), c.flag("encoder_has_trailing_conv", true)};
  const bool lite = c.text("encoder_type", "hybrid") == "lite";
  const auto plain = [&](Text name) { conv_norm(b, name, d, d, 1, conv_and_norm); };
  b.scope(Part::convolution, "encoder", [&] {
    if (lite) {
      b.scope("input_proj", [&] {
        for (std::size_t i = 0; i < in.size(); ++i) conv_norm(b, digits(i), in[i], d, 1, conv_and_norm);
      });
      for (const Text name : {"down_conv1", "down_conv2", "bi_fusion_conv"}) plain(name);
      for (const Text name : {"fpn_block", "pan_block"}) b.scope(name, [&] { joint(b, m); });
      return;
    }
    level_layers(c, b, d);
    const Expr joints = c.count("num_joints", "L_j", "Number of fusions of neighbouring feature levels.", in.empty() ? 0 : in.size() - 1);
    b.repeat("lateral_convs", all(joints), [&] { plain(""); });
    b.repeat("downsample_convs", all(joints), [&] {
      plain("conv1");
      conv_norm(b, "conv2", d, d, 3, {.convolution = "conv", .norm = "norm", .groups = d});
    });
    for (const Text blocks : {"fpn_blocks", "pan_blocks"}) b.repeat(blocks, all(joints), [&] { joint(b, m); });
  });
}

/// Records a DINOv3 backbone, a small convolutional branch for details, and the convolutions that fuse their outputs.
void dinov3(Config c, Builder& b, Expr seen_width) {
  const Expr details = c.integer("spatial_tuning_adapter_inplanes", 16), channels = c.literal(3);
  c.ignore("freeze_backbone_batch_norms", "DINOv3 has no batch norms.");
  b.scope("conv_encoder", [&] {
    const Expr d = nested_backbone_auto(c.section("backbone_config"), b, "backbone", "dinov3_vit").hidden;
    b.scope(Part::convolution, "spatial_tuning_adapter", [&] {
      conv_norm(b, "stem_conv", channels, details, 3, conv_and_norm);
      conv_norm(b, "conv2", details, 2 * details, 3, conv_and_norm);
      conv_norm(b, "conv3", 2 * details, 4 * details, 3, conv_and_norm);
      conv_norm(b, "conv4", 4 * details, 4 * details, 3, conv_and_norm);
    });
    b.tower(Tower::projector, "fusion_proj", [&] {
      conv_norm(b, "0", d + 2 * details, seen_width, 1, conv_and_norm);
      for (const Text name : {"1", "2"}) conv_norm(b, name, d + 4 * details, seen_width, 1, conv_and_norm);
    });
  });
}

void seen(Config c, Builder& b, Expr seen_width) {
  const Json type = c.section("backbone_config").peek("model_type");
  if (type.is(Json::Type::string) && type.string() == "dinov3_vit") return dinov3(c, b, seen_width);
  const std::vector<Expr> given = hybrid_backbone(c, b, "conv_encoder.model", hgnet_v2);
  if (c.text("encoder_type", "hybrid") == "lite") return;
  b.tower(Tower::projector, "conv_encoder.encoder_input_proj", [&] {
    for (std::size_t i = 0; i < given.size(); ++i) conv_norm(b, digits(i), given[i], seen_width, 1, conv_and_norm);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), seen_width = c.integer("encoder_hidden_dim", 256);
  const Stack decoder = decoder_fields(c, d, {6, 1024, 8});
  const Expr points = sampled_points(c), inner = floor_divide(decoder.inner, c.literal(2));
  const bool gated = c.flag("use_gateway", true);
  require_multiple(d, decoder.heads);
  seen(c, b, seen_width);
  encoder(c, b, seen_width);
  query_selection(c, b, d, true);
  d_fine_levels(c, b, d, "conv", "norm");
  b.repeat("decoder.layers", all(d_fine_depth(c, decoder.n_layers)), [&] {
    attention(b, "self_attn", {.hidden = d, .heads = decoder.heads, .qkv_bias = true, .output_bias = true});
    rms_norm(b, "self_attn_layer_norm", d);
    point_attention(b, d, decoder.heads, points);
    if (gated) {
      b.part(Part::feed_forward, [&] { linear(b, "gateway.gate", 2 * d, 2 * d, true); });
      rms_norm(b, "gateway.norm", d);
    } else {
      rms_norm(b, "encoder_attn_layer_norm", d);
    }
    gated_mlp(b, "mlp", d, inner, true);
    rms_norm(b, "final_layer_norm", d);
  });
  d_fine_boxes(c, b, d, decoder.n_layers);
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) { d_fine_head(c, b, m, c.flag("share_bbox_head", false)); }

}  // namespace

extern const Family deimv2{
    .model_type = "deimv2",
    .summary = "Real-time object detection: like D-FINE, with lighter fusion and optionally a DINOv3 backbone.",
    .classes = {"Deimv2", heads::base | heads::objects, "model"},
    .aliases = hybrid_aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
