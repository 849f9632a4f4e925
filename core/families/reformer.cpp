// Reformer: layers with local or LSH attention, where LSH attention has one projection for queries and keys; by default axial positions,
// with one table for rows and one for columns; reversible layers, so the head reads two streams. Source: transformers, models/reformer.

#include "core/nn/heads.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"ReformerModelWithLMHead", Head::causal_lm, "reformer"},
    {"ReformerModel", Head::none, ""},
    {"ReformerForMaskedLM", Head::masked_lm, "reformer"},
    {"ReformerForSequenceClassification", Head::sequence_classification, "reformer"},
    {"ReformerForQuestionAnswering", Head::question_answering, "reformer"},
};

constexpr std::string_view kinds_of_layers[] = {"local", "lsh"};

/// The tensor name of one of the two tables of axial positions, and the names and symbols of its two sizes.
struct Axis {
  Text name, rows, rows_symbol, width, width_symbol;
};
constexpr Axis axes[] = {{"weights.0", "axial_pos_shape_0", "P_0", "axial_pos_embds_dim_0", "d_0"},
                         {"weights.1", "axial_pos_shape_1", "P_1", "axial_pos_embds_dim_1", "d_1"}};

void axial_positions(Config c, Builder& b, Expr d) {
  const std::vector<std::int64_t> shape = c.integers("axial_pos_shape", {64, 64}), widths = c.integers("axial_pos_embds_dim", {64, 192});
  const auto entry = [&](Text field, const std::vector<std::int64_t>& list, std::size_t i, Text name, Text symbol, Text meaning) {
    if (list.size() != std::size(axes) || list[i] < 0) c.refuse(ErrorCode::out_of_range, field, "must be two non-negative numbers.");
    return c.count(name, symbol, meaning, static_cast<Count>(list[i]));
  };
  Expr sum = c.literal(0);
  b.scope(Part::embedding, "position_embeddings", [&] {
    for (std::size_t i = 0; i < std::size(axes); ++i) {
      const Axis& a = axes[i];
      const Expr rows = entry("axial_pos_shape", shape, i, a.rows, a.rows_symbol, "Positions along one axis.");
      const Expr width =
          entry("axial_pos_embds_dim", widths, i, a.width, a.width_symbol, "Dimension of the position embeddings along one axis.");
      const Expr one = c.literal(1);
      if (i == 0)
        b.parameter(a.name, {rows, one, width}, StorageKind::table);
      else
        b.parameter(a.name, {one, rows, width}, StorageKind::table);
      sum = i == 0 ? width : sum + width;
    }
  });
  if (!equal(sum, d)) c.refuse(ErrorCode::inconsistent, "axial_pos_embds_dim", "must add up to hidden_size.");
}

BackboneOutput backbone(Config c, Builder& b) {
  for (const Text list : {"attn_layers", "axial_pos_shape", "axial_pos_embds_dim"})
    if (c.peek(list).is_null()) c.refuse(ErrorCode::wrong_type, list, "must be a list, not null.");
  const Expr d = c.integer("hidden_size", 256), f = c.integer("feed_forward_size", 512), vocab = c.integer("vocab_size", 320);
  const auto kinds = c.words("attn_layers", kinds_of_layers, {"local", "lsh", "local", "lsh", "local", "lsh"});
  const Expr n_layers = c.integer("num_hidden_layers", attribute.or_else(c.literal(kinds.size())), 1);
  const Expr n = c.integer("num_attention_heads", 12), h = c.integer("attention_head_size", 64);
  const bool axial = c.flag("axial_pos_embds", true), decoder = c.flag("is_decoder", false);
  const Expr positions = c.integer("max_position_embeddings", 4096);
  c.ignore("tie_word_embeddings", "The head is never tied: it reads two streams.");
  const Head head = b.architecture().head;
  if ((head == Head::causal_lm && !decoder) || (head == Head::masked_lm && decoder))
    c.refuse(ErrorCode::inconsistent, "is_decoder", "must be true for the causal class and false for the masked one.");
  if (n_layers.decide() > kinds.size()) c.require_length("attn_layers", kinds.size(), n_layers);
  const Split layers =
      split(c, n_layers, "num_lsh_layers", "L_h", "Layers with LSH attention.", [&](std::size_t i) { return kinds[i] == "lsh"; });

  b.scope("embeddings", [&] {
    embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
    if (axial)
      axial_positions(c, b, d);
    else
      embedding(b, "position_embeddings.embedding", positions, d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] {
    b.repeat("layers", all(n_layers), [&] {
      b.scope(Part::attention, "attention", [&] {
        layer_norm(b, "layer_norm", d);
        linear(b, "self_attention.value", d, n * h, false, TensorRole::value);
        linear(b, "output.dense", n * h, d, false, TensorRole::output);
      });
      layer_norm(b, "feed_forward.layer_norm", d);
      mlp(b, "feed_forward", d, f, true, "dense.dense", "output.dense");
    });
    b.repeat("layers", layers.in, [&] { b.part(Part::attention, [&] { linear(b, "attention.self_attention.query_key", d, n * h); }); });
    b.repeat("layers", layers.out, [&] {
      b.scope(Part::attention, "attention.self_attention", [&] {
        linear(b, "query", d, n * h, false, TensorRole::query);
        linear(b, "key", d, n * h, false, TensorRole::key);
      });
    });
    layer_norm(b, "layer_norm", 2 * d);
  });
  return {.hidden = 2 * d, .vocabulary = vocab};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] {
    switch (b.architecture().head) {
      case Head::causal_lm:
      case Head::masked_lm:
        linear(b, "lm_head.decoder", m.hidden, m.vocabulary, false, TensorRole::head);
        b.parameter("lm_head.bias", {m.vocabulary});
        break;
      case Head::sequence_classification: {
        const Expr d = c.integer("hidden_size", 256);
        linear(b, "classifier.dense", m.hidden, d, true);
        linear(b, "classifier.out_proj", d, num_labels(c), true);
        break;
      }
      case Head::question_answering: linear(b, "qa_outputs", m.hidden, num_labels(c), true); break;
      default: break;
    }
  });
}

}  // namespace

extern const Family reformer{
    .model_type = "reformer",
    .summary = "Local and LSH attention, axial positions, reversible layers.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
