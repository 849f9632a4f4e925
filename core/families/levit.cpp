// LeViT: convolutions that downsample the image, then stages of layers with batch norm after each projection and a learned attention bias
// for each distance. Attention between the stages downsamples, too. Source: transformers, models/levit.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

/// The sizes of an attention layer that downsamples between two stages.
struct Down {
  Expr key, heads, ratio, widening;
};

void projection(Builder& b, Text name, Expr in, Expr out) {
  b.scope(name, [&] {
    linear(b, "linear", in, out);
    batch_norm(b, "batch_norm", out);
  });
}

void feed_forward(Builder& b, Text name, Expr d, Expr inner) {
  b.scope(Part::feed_forward, name, [&] {
    projection(b, "linear_up", d, inner);
    projection(b, "linear_down", inner, d);
  });
}

/// Records one attention bias per head for each combination of a vertical and a horizontal distance.
void biases(Builder& b, Expr heads, Expr side) { b.parameter("attention_biases", {heads, power(side, 2)}, StorageKind::table); }

/// The attention layers that downsample, read from down_ops or derived from the widths of the first two stages.
std::vector<Down> downs(Config c, const std::vector<Expr>& widths, Expr key) {
  const Json given = c.peek("down_ops");
  std::vector<Down> out;
  if (!given) {
    require_positive(key);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
      out.push_back({key, floor_divide(widths[i], key), c.literal(4), c.literal(2)});
    return out;
  }
  c.consume("down_ops");
  constexpr std::size_t entries = 6;  // an entry consists of a word, key width, heads, ratio, widening and stride
  constexpr Count stride = 2;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Json op = given[i];
    bool known = op.size() == entries;
    for (std::size_t j = 1; known && j < entries; ++j) known = op[j].is(Json::Type::integer) && !op[j].negative();
    if (!known || op[entries - 1].magnitude() != stride)
      c.refuse(ErrorCode::unsupported, "down_ops", "must be a list of [\"Subsample\", key width, heads, ratio, widening, 2].");
    out.push_back({c.literal(op[1].magnitude()), c.literal(op[2].magnitude()), c.literal(op[3].magnitude()), c.literal(op[4].magnitude())});
  }
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr image = c.integer("image_size", 224), patch = c.integer("patch_size", 16, 1), channels = c.integer("num_channels", 3);
  const Expr kernel = c.integer("kernel_size", 3);
  const std::vector<Expr> widths = c.dimensions("hidden_sizes", {128, 256, 384}), depths = c.dimensions("depths", {4, 4, 4});
  const Expr count = c.literal(depths.size());
  const auto list = [&](Text name, std::initializer_list<std::uint64_t> fallback) { return stage_dimensions(c, name, fallback, count); };
  const std::vector<Expr> heads = list("num_attention_heads", {4, 8, 12}), keys = list("key_dim", {16, 16, 16}),
                          ratios = list("attention_ratio", {2, 2, 2}), widenings = list("mlp_ratio", {2, 2, 2});
  if (depths.size() != 3 || widths.size() != depths.size())
    c.refuse(ErrorCode::out_of_range, "depths", "and hidden_sizes must have 3 entries.", Refused::list_length);
  const std::vector<Down> between_stages = downs(c, widths, keys[0]);
  if (between_stages.size() + 1 != depths.size())
    c.refuse(ErrorCode::inconsistent, "down_ops", "must have an entry for each pair of successive stages.");
  constexpr Count halvings[] = {8, 4, 2, 1};
  Expr from = channels;
  for (std::size_t i = 0; i < 4; ++i) {
    const Expr to = halvings[i] == 1 ? widths[0] : floor_divide(widths[0], c.literal(halvings[i]));
    b.part(Part::embedding, [&] {
      const InBlock block(b, {Mechanism::convolutional_stem});
      conv_norm(b, concat({"patch_embeddings.embedding_layer_", digits(i + 1)}), from, to, kernel, {.norm = "batch_norm"});
    });
    from = to;
  }
  Expr side = floor_divide(image, patch);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const Expr d = widths[i];
    const bool mlps = widenings[i].decide() > 0;
    require_listable(depths[i]);
    std::vector<std::uint64_t> evens, odds;
    for (std::uint64_t n = 0; n < depths[i].decide(); ++n) {
      evens.push_back(mlps ? 2 * n : n);
      odds.push_back(2 * n + 1);
    }
    b.scope(concat({"encoder.stages.", digits(i)}), [&] {
      b.repeat("layers", listed(evens, depths[i]), [&] {
        require_positive(keys[i]);
        const Expr values = ratios[i] * keys[i] * heads[i];
        b.scope(Part::attention, "module", [&] {
          biases(b, heads[i], side);
          projection(b, "queries_keys_values", d, values + 2 * keys[i] * heads[i]);
          projection(b, "projection", values, d);
        });
      });
      if (mlps) b.repeat("layers", listed(odds, depths[i]), [&] { feed_forward(b, "module", d, d * widenings[i]); });
      if (i + 1 == depths.size()) return;
      const Down& down = between_stages[i];
      const Expr values = down.ratio * down.key * down.heads, next = widths[i + 1];
      const Count at = (mlps ? 2 : 1) * depths[i].decide();
      b.scope(Part::attention, concat({"layers.", digits(at)}), [&] {
        biases(b, down.heads, side);
        projection(b, "keys_values", d, values + down.key * down.heads);
        projection(b, "queries", d, down.key * down.heads);
        projection(b, "projection", values, next);
      });
      if (down.widening.decide() > 0) feed_forward(b, concat({"layers.", digits(at + 1), ".module"}), next, next * down.widening);
    });
    if (i + 1 < depths.size()) side = ceil_divide(side, c.literal(2));
  }
  return {.hidden = widths.back()};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const auto one = [&](Text name) {
    b.scope(Part::output_head, name, [&] {
      if (num_labels(c).decide() == 0) return;
      batch_norm(b, "batch_norm", m.hidden);
      linear(b, "linear", m.hidden, num_labels(c), true);
    });
  };
  if (b.architecture().head == Head::none) return;
  one("classifier");
  if (b.architecture().head == Head::other) one("classifier_distill");
}

constexpr Architecture with_teacher[] = {{"LevitForImageClassificationWithTeacher", Head::other, "levit"}};

}  // namespace

extern const Family levit{
    .model_type = "levit",
    .summary = "Image classification: a convolutional stem, then attention with batch norm, which also downsamples.",
    .classes = {"Levit", heads::base | heads::image, "levit", {}, with_teacher},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
