// D-FINE: like RT-DETR, with other fusion blocks and a gate after cross-attention in each decoder layer. Box edges are predicted as
// probability distributions over positions, which each decoder layer refines. Source: transformers, models/d_fine.

#include "core/nn/vision/d_fine.hpp"

#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/hybrid_encoder.hpp"

namespace param_ledger {

extern const Family hgnet_v2;

namespace {

/// Records a fusion block. Its last convolution reads the concatenated outputs of conv1, conv2 and conv3.
void joined(Builder& b, Expr d, Expr inner, Expr n_blocks) {
  conv_norm(b, "conv1", 2 * d, 2 * d, 1, conv_and_norm);
  csp_layer(b, "csp_rep1", d, inner, inner, n_blocks);
  conv_norm(b, "conv2", inner, inner, 3, conv_and_norm);
  csp_layer(b, "csp_rep2", inner, inner, inner, n_blocks);
  conv_norm(b, "conv3", inner, inner, 3, conv_and_norm);
  conv_norm(b, "conv4", 2 * d + 2 * inner, d, 1, conv_and_norm);
}

void encoder(Config c, Builder& b, Expr d) {
  const std::vector<Expr> in = c.dimensions("encoder_in_channels", {512, 1024, 2048});
  const Expr inner = joint_width(c, d), n_blocks = joint_blocks(c);
  if (in.empty()) c.refuse(ErrorCode::out_of_range, "encoder_in_channels", "must have at least 1 entry.", Refused::list_length);
  hybrid_layers(c, b, d);
  const Expr joints = c.count("num_joints", "L_j", "Number of fusions of neighbouring feature levels.", in.size() - 1);
  b.scope(Part::convolution, "encoder", [&] {
    b.repeat("lateral_convs", all(joints), [&] { conv_norm(b, "", d, d, 1, conv_and_norm); });
    b.repeat("downsample_convs", all(joints), [&] {
      conv_norm(b, "conv1", d, d, 1, conv_and_norm);
      conv_norm(b, "conv2", d, d, 3, {.convolution = "conv", .norm = "norm", .groups = d});
    });
    for (const Text blocks : {"fpn_blocks", "pan_blocks"}) b.repeat(blocks, all(joints), [&] { joined(b, d, inner, n_blocks); });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), seen_width = c.integer("encoder_hidden_dim", 256);
  const Stack decoder = decoder_fields(c, d, {6, 1024, 8});
  const Expr points = sampled_points(c);
  require_multiple(d, decoder.heads);
  std::vector<Expr> seen = hybrid_backbone(c, b, "backbone.model", hgnet_v2);
  const std::size_t taken = c.dimensions("decoder_in_channels", {256, 256, 256}).size();
  if (seen.size() < taken)
    c.refuse(ErrorCode::inconsistent, "decoder_in_channels", "must not have more entries than the backbone has outputs.");
  seen.resize(taken);
  encoder_input_proj(b, "encoder_input_proj", seen, seen_width);
  encoder(c, b, seen_width);
  query_selection(c, b, d);
  d_fine_levels(c, b, d, "0", "1");
  b.repeat("decoder.layers", all(d_fine_depth(c, decoder.n_layers)), [&] {
    attention(b, "self_attn", {.hidden = d, .heads = decoder.heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
    layer_norm(b, "self_attn_layer_norm", d);
    point_attention(b, d, decoder.heads, points);
    b.part(Part::feed_forward, [&] { linear(b, "gateway.gate", 2 * d, 2 * d, true); });
    layer_norm(b, "gateway.norm", d);
    mlp(b, "", d, decoder.inner, true, "fc1", "fc2");
    layer_norm(b, "final_layer_norm", d);
  });
  d_fine_boxes(c, b, d, decoder.n_layers);
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) { d_fine_head(c, b, m, false); }

}  // namespace

extern const Family d_fine{
    .model_type = "d_fine",
    .summary = "Real-time object detection: RT-DETR with box edges refined as probability distributions.",
    .classes = {"DFine", heads::base | heads::objects, "model"},
    .aliases = hybrid_aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
