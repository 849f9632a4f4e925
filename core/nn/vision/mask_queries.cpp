#include "core/nn/vision/mask_queries.hpp"

#include <algorithm>
#include <cmath>

#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"

namespace param_ledger {

void conv_group_norm(Builder& b, Text name, Expr in, Expr out, int kernel, bool bias) {
  require_multiple(out, b.pool().literal(32));
  b.scope(name, [&] {
    conv2d(b, "0", in, out, kernel, bias);
    group_norm(b, "1", out);
  });
}

namespace {

/// The number of levels that are finer than those with encoder layers, at most `count`. It is log2(s ÷ common_stride), where s is the
/// smallest of the last three strides.
std::size_t finer_levels(Config c, Text strides, std::size_t count) {
  const std::vector<std::int64_t> given = c.integers(strides, {4, 8, 16, 32});
  const std::int64_t common = static_cast<std::int64_t>(static_cast<std::uint64_t>(c.integer("common_stride", 4, 1).decide()));
  if (given.empty()) c.refuse(ErrorCode::out_of_range, strides, "must have at least 1 entry.", Refused::list_length);
  const std::int64_t least =
      *std::min_element(given.end() - std::min<std::ptrdiff_t>(3, static_cast<std::ptrdiff_t>(given.size())), given.end());
  if (least < 1) c.refuse(ErrorCode::out_of_range, strides, "must contain numbers of at least 1.");
  const double levels = std::trunc(std::log2(static_cast<double>(least)) - std::log2(static_cast<double>(common)));
  // A negative number removes as many levels from the end, as in a Python slice.
  const double end = levels < 0 ? static_cast<double>(count) + levels : levels;
  return static_cast<std::size_t>(std::max(0.0, std::min(end, static_cast<double>(count))));
}

}  // namespace

void pixel_decoder(Config c, Builder& b, const std::vector<Expr>& seen, const PixelDecoder& m) {
  const Expr d = m.d, heads = c.integer("num_attention_heads", 8), three = c.literal(3), four = c.literal(4);
  const Expr n_layers = c.integer("encoder_layers", 6), inner = c.integer("encoder_feedforward_dim", 1024);
  b.scope("pixel_level_module.decoder", [&] {
    b.part(Part::embedding, [&] {
      b.parameter("level_embed", {three, d}, StorageKind::table);
      for (std::size_t i = 0; i < std::min<std::size_t>(3, seen.size()); ++i)
        b.part(Part::adapter, [&] {
          conv_group_norm(b, concat({"input_projections.", digits(i)}), seen[seen.size() - 1 - i], d, 1, true);
        });
    });
    b.repeat("encoder.layers", all(n_layers), [&] {
      deformable_attention(b, "self_attn", {d, heads, three, four});
      layer_norm(b, "self_attn_layer_norm", d);
      mlp(b, "", d, inner, true, "fc1", "fc2");
      layer_norm(b, "final_layer_norm", d);
    });
    b.part(Part::convolution, [&] {
      for (std::size_t i = 0; i < finer_levels(c, m.strides, seen.size()); ++i) {
        conv_group_norm(b, concat({"adapter_", digits(i + 1)}), seen[i], d, 1);
        conv_group_norm(b, concat({"layer_", digits(i + 1)}), d, d, 3);
      }
      conv2d(b, "mask_projection", d, m.masks, 1);
    });
  });
}

void mask_mlp(Builder& b, Text name, Expr in, Expr inner, Expr out, std::size_t n_layers) {
  b.scope(name, [&] {
    for (std::size_t i = 0; i < n_layers; ++i)
      linear(b, concat({digits(i), ".0"}), i == 0 ? in : inner, i + 1 == n_layers ? out : inner, true);
  });
}

IndexSet layers_before_last(Config c) {
  return between(c.literal(1), c.integer("decoder_layers", 10)).empty() ? IndexSet{} : all(c.integer("decoder_layers", 10) - 1);
}

Attention mask_query_attention(Expr d, Expr heads) {
  return {.hidden = d, .heads = heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"};
}

void mask_class_head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  if (head == Head::none) return;
  const Expr labels = num_labels(c) + 1;
  b.part(Part::output_head, [&] {
    linear(b, "class_predictor", m.hidden, labels, true);
    if (head == Head::other) mask_mlp(b, "mask_embedder", m.hidden, m.hidden, c.integer("mask_feature_size", 256), 3);
    b.buffer("criterion.empty_weight", {labels});
  });
}

}  // namespace param_ledger
