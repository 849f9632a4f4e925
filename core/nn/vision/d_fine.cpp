#include "core/nn/vision/d_fine.hpp"

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/hybrid_encoder.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

/// How eval_idx, which selects the layer that gives the final boxes, divides the decoder layers. `usual`: the number of layers up to the
/// selected one; their box heads have the usual width. `more`: the number of layers after it.
struct Evaluated {
  Expr usual, more;
};

Evaluated evaluated(Config c, Expr n_layers) {
  const Json given = c.peek("eval_idx");
  c.consume("eval_idx");
  if (given && !given.is(Json::Type::integer)) c.refuse(ErrorCode::wrong_type, "eval_idx", "must be an integer.");
  const Count n = n_layers.decide(), size = given ? Count{given.magnitude()} : 1;
  const bool from_end = !given || given.negative();
  if (from_end && size == 1) return {n_layers, c.literal(0)};
  if (from_end) return {c.literal(size > n + 1 ? 0 : n + 1 - size), c.literal(size - 1)};
  return {c.literal(size + 1), c.literal(size + 1 >= n ? 0 : n - size - 1)};
}

/// Records a box head that all layers share. It is stored as the first entry of the decoder's bbox_embed.
void shared_boxes(Builder& b, Expr hidden, Expr out, Expr n_layers) {
  const Expr one = b.pool().literal(1);
  b.part(Part::output_head, [&] {
    for (std::size_t i = 0; i < 3; ++i)
      for (const bool matrix : {true, false}) {
        const std::string leaf = concat({"layers.", digits(i), matrix ? ".weight" : ".bias"});
        const Expr rows = i == 2 ? out : hidden;
        Tensor first_one;
        b.repeat("model.decoder.bbox_embed", first(one, n_layers), [&] {
          first_one = matrix ? b.parameter(leaf, {rows, hidden}, StorageKind::matrix) : b.parameter(leaf, {rows});
        });
        b.repeat("model.decoder.bbox_embed", between(one, n_layers), [&] { b.tied(leaf, first_one); });
        b.repeat("bbox_embed", all(n_layers), [&] { b.tied(leaf, first_one); });
      }
  });
}

}  // namespace

Expr joint_width(Config c, Expr d) { return floor_divide(c.scaled("hidden_expansion", 1.0, d, "expanded_width", "d_x"), c.literal(2)); }

Expr joint_blocks(Config c) {
  const double deeper = c.number("depth_mult", 1.0);
  constexpr double usual = 3, most = 1000;
  if (!(deeper >= 0) || !(deeper <= most)) c.refuse(ErrorCode::out_of_range, "depth_mult", "must be a number of at least 0, e.g. 1.0.");
  return c.count("num_blocks", "L_b", "Blocks of each fusion layer.", static_cast<std::uint64_t>(python_round(usual * deeper)));
}

Expr sampled_points(Config c) {
  const Expr n_levels = c.integer("num_feature_levels", 3);
  if (!c.peek("decoder_n_points").is(Json::Type::list)) return n_levels * c.integer("decoder_n_points", 4);
  const std::vector<Expr> list = c.dimensions("decoder_n_points", {4});
  c.require_length("decoder_n_points", list.size(), n_levels);
  if (list.empty()) return c.literal(0);
  Expr sum = list[0];
  for (std::size_t i = 1; i < list.size(); ++i) sum = sum + list[i];
  return sum;
}

void point_attention(Builder& b, Expr d, Expr heads, Expr points) {
  b.owned_by(Owner::cross, [&] {
    b.scope(Part::attention, "encoder_attn", [&] {
      const InBlock block(b, {Mechanism::deformable_attention});
      linear(b, "sampling_offsets", d, 2 * heads * points, true);
      linear(b, "attention_weights", d, heads * points, true);
      b.buffer("num_points_scale", {points});
    });
  });
}

Expr d_fine_depth(Config c, Expr n_layers) {
  const Expr more = evaluated(c, n_layers).more;
  return is_zero(more) ? n_layers : n_layers + more;
}

void d_fine_levels(Config c, Builder& b, Expr d, Text convolution, Text norm) {
  const std::vector<Expr> in = c.dimensions("decoder_in_channels", {256, 256, 256});
  const Expr n_levels = c.integer("num_feature_levels", 3);
  if (in.empty()) c.refuse(ErrorCode::out_of_range, "decoder_in_channels", "must have at least 1 entry.", Refused::list_length);
  if (in.back().decide() == d.decide()) return;
  const Expr given = c.literal(in.size());
  const auto level = [&](int kernel) { conv_norm(b, "", in.back(), d, kernel, {.convolution = convolution, .norm = norm}); };
  b.tower(Tower::projector, "", [&] {
    b.repeat("decoder_input_proj", all(given), [&] { level(1); });
    b.repeat("decoder_input_proj", between(given, n_levels), [&] { level(3); });
  });
}

void d_fine_boxes(Config c, Builder& b, Expr d, Expr n_layers) {
  const Expr bins = c.integer("top_prob_values", 4), judged = c.integer("lqe_hidden_dim", 64), judges = c.integer("lqe_layers", 2, 1);
  const Expr four = c.literal(4), one = c.literal(1);
  require_listable(judges);
  b.scope(Part::output_head, "decoder", [&] {
    mlp_head(b, "pre_bbox_head", d, d, four, 3);
    b.repeat("lqe_layers", all(n_layers),
             [&] { mlp_head(b, "reg_conf", 4 * (bins + 1), judged, one, static_cast<std::size_t>(judges.decide())); });
    const InBlock block(b, {Mechanism::fixed_values});
    for (const Text name : {"reg_scale", "up"}) b.parameter(name, {one});
  });
}

void d_fine_head(Config c, Builder& b, const BackboneOutput& m, bool shared) {
  if (b.architecture().head != Head::object_detection) return;
  if (!c.flag("tie_word_embeddings", true)) c.refuse(ErrorCode::unsupported, "tie_word_embeddings", "must be true here.");
  const Expr n_layers = c.integer("decoder_layers", 6), bins = c.integer("max_num_bins", 32), out = 4 * (bins + 1), zero = c.literal(0);
  const double wider = c.number("layer_scale", 1.0);
  const Evaluated layers = evaluated(c, n_layers);
  decoder_heads(b, "class_embed", m.hidden, num_labels(c), zero, n_layers, false);
  if (shared) return shared_boxes(b, m.hidden, out, n_layers);
  decoder_heads(b, "bbox_embed", m.hidden, out, zero, layers.usual, true);
  if (is_zero(layers.more)) return;
  const Expr width = wider == 1.0 ? m.hidden
                                  : c.count("scaled_width", "d_s", "Width of the box heads of the last layers: layer_scale × d_model.",
                                            static_cast<Count>(python_round(wider * static_cast<double>(m.hidden.decide()))));
  decoder_heads(b, "bbox_embed", width, out, layers.usual, layers.usual + layers.more, true);
}

}  // namespace param_ledger
