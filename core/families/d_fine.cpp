// D-FINE: as RT-DETR, with other convolutions, and boxes refined as distributions.
// Source: transformers, models/d_fine.

#include "core/blocks/detection.hpp"
#include "core/blocks/factors.hpp"
#include "core/blocks/feed_forward.hpp"
#include "core/blocks/hybrid_encoder.hpp"

namespace param_ledger {

extern const Family hgnet_v2;

namespace {

/// One way of four convolutions, whose outputs are all joined.
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
  const Expr inner = floor_divide(c.scaled("hidden_expansion", 1.0, d, "expanded_width", "d_x"), c.literal(2));
  const double deeper = c.number("depth_mult", 1.0);
  constexpr double usual = 3, most = 1000;
  if (in.empty()) c.refuse(ErrorCode::out_of_range, "encoder_in_channels", "must be at least 1 entry long.", Refused::list_length);
  if (!(deeper >= 0) || !(deeper <= most)) c.refuse(ErrorCode::out_of_range, "depth_mult", "must be a number of at least 0, e.g. 1.0.");
  const Expr n_blocks = c.count("num_blocks", "L_b", "Blocks of each joint.", static_cast<std::uint64_t>(python_round(usual * deeper)));
  hybrid_layers(c, b, d);
  const Expr joints = c.count("num_joints", "L_j", "How often a level is joined with the next.", in.size() - 1);
  b.scope(Part::convolution, "encoder", [&] {
    b.repeat("lateral_convs", all(joints), [&] { conv_norm(b, "", d, d, 1, conv_and_norm); });
    b.repeat("downsample_convs", all(joints), [&] {
      conv_norm(b, "conv1", d, d, 1, conv_and_norm);
      conv_norm(b, "conv2", d, d, 3, {.convolution = "conv", .norm = "norm", .groups = d});
    });
    for (const Text blocks : {"fpn_blocks", "pan_blocks"}) b.repeat(blocks, all(joints), [&] { joined(b, d, inner, n_blocks); });
  });
}

/// The points that each query looks at, on all levels.
Expr points(Config c) {
  const Expr n_levels = c.integer("num_feature_levels", 3);
  if (!c.peek("decoder_n_points").is(Json::Type::list)) return n_levels * c.integer("decoder_n_points", 4);
  const std::vector<Expr> list = c.dimensions("decoder_n_points", {4});
  c.require_length("decoder_n_points", list.size(), n_levels);
  Expr sum = list[0];
  for (std::size_t i = 1; i < list.size(); ++i) sum = sum + list[i];
  return sum;
}

/// The layers after the last one of these are counted again: eval_idx says which one's boxes count.
Expr decoder_depth(Config c, Expr n_layers) {
  const Json given = c.peek("eval_idx");
  c.consume("eval_idx");
  if (given && !given.is(Json::Type::integer)) c.refuse(ErrorCode::wrong_type, "eval_idx", "must be an integer.");
  const Count n = n_layers.value(), size = given ? Count{given.magnitude()} : 1;
  const bool from_end = !given || given.negative();
  if (from_end && size > 1) return n_layers + static_cast<std::uint64_t>(size - 1);
  const Count wanted = from_end ? n : size + 1;
  return wanted >= n ? n_layers : n_layers + static_cast<std::uint64_t>(n - wanted);
}

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), seen_width = c.integer("encoder_hidden_dim", 256);
  const Stack decoder = decoder_fields(c, d, {6, 1024, 8});
  const Expr bins = c.integer("top_prob_values", 4), judged = c.integer("lqe_hidden_dim", 64), judges = c.integer("lqe_layers", 2, 1);
  const Expr places = points(c), four = c.literal(4), one = c.literal(1);
  require_multiple(d, decoder.heads);
  std::vector<Expr> seen = hybrid_backbone(c, b, "backbone.model", hgnet_v2);
  const std::vector<Expr> in = c.dimensions("decoder_in_channels", {256, 256, 256});
  if (seen.size() < in.size())
    c.refuse(ErrorCode::inconsistent, "decoder_in_channels", "must have no more entries than the backbone gives.");
  seen.resize(in.size());
  brought_to(b, "encoder_input_proj", seen, seen_width);
  encoder(c, b, seen_width);
  chosen_queries(c, b, d);
  if (in.empty()) c.refuse(ErrorCode::out_of_range, "decoder_in_channels", "must be at least 1 entry long.", Refused::list_length);
  if (in.back().value() != d.value()) {  // all levels are taken to be as wide as the last
    const Expr n_levels = c.integer("num_feature_levels", 3);
    brought_to(b, "decoder_input_proj", std::vector<Expr>(in.size(), in.back()), d);
    b.scope(Part::projector, "", [&] {
      b.repeat("decoder_input_proj", between(c.literal(in.size()), n_levels),
               [&] { conv_norm(b, "", in.back(), d, 3, {.convolution = "0", .norm = "1"}); });
    });
  }
  b.repeat("decoder.layers", all(decoder_depth(c, decoder.n_layers)), [&] {
    attention(b, "self_attn", {.hidden = d, .heads = decoder.heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
    layer_norm(b, "self_attn_layer_norm", d);
    b.scope(Part::attention, "encoder_attn", [&] {
      linear(b, "sampling_offsets", d, 2 * decoder.heads * places, true);
      linear(b, "attention_weights", d, decoder.heads * places, true);
      b.buffer("num_points_scale", {places});
    });
    b.part(Part::feed_forward, [&] { linear(b, "gateway.gate", 2 * d, 2 * d, true); });
    layer_norm(b, "gateway.norm", d);
    mlp(b, "", d, decoder.inner, true, "fc1", "fc2");
    layer_norm(b, "final_layer_norm", d);
  });
  b.scope(Part::output_head, "decoder", [&] {
    mlp_head(b, "pre_bbox_head", d, d, four, 3);
    b.repeat("lqe_layers", all(decoder.n_layers),
             [&] { mlp_head(b, "reg_conf", 4 * (bins + 1), judged, one, static_cast<std::size_t>(judges.value())); });
    for (const Text name : {"reg_scale", "up"}) b.parameter(name, {one});
  });
  return {.hidden = d};
}

}  // namespace

extern const Family d_fine{
    .model_type = "d_fine",
    .summary = "As RT-DETR, with boxes refined as distributions.",
    .classes = {"DFine", heads::base, "model"},
    .aliases = hybrid_aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
