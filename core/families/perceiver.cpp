// Perceiver IO: latents with cross-attention to the input, then self-attention layers. In classes with a head, learned queries attend to
// the latents.
// Source: transformers, models/perceiver.

#include "core/builder/blocks.hpp"
#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

namespace {

/// The sizes of a layer: attention from queries of width `q` to inputs of width `kv`, and an MLP. If `qk` is empty, the width of query and
/// key projections is `q` or `kv`. If `v` is empty, values are as wide as keys.
struct PerceiverLayer {
  Expr q, kv, heads, qk = {}, v = {};
  Expr widening = {};
  bool is_cross_attention = false;
  bool shape_of_queries = false;  ///< whether, if `qk` is empty, cross-attention is as wide as the queries instead of the inputs
};

void record(Builder& b, Text name, const PerceiverLayer& l) {
  const Expr qk = l.qk ? l.qk : l.is_cross_attention && !l.shape_of_queries ? l.kv : l.q, v = l.v ? l.v : qk;
  require_multiple(qk, l.heads);
  require_multiple(v, l.heads);
  const Expr out = l.is_cross_attention ? l.q : v;
  b.scope(name, [&] {
    b.owned_by(l.is_cross_attention ? Owner::cross : Owner::itself, [&] {
      b.scope(Part::attention, "attention", [&] {
        const InBlock block(b, {.mechanism = Mechanism::attention, .heads = l.heads, .kv_heads = l.heads});
        b.scope("self", [&] {
          layer_norm(b, "layernorm1", l.q);
          if (l.is_cross_attention) layer_norm(b, "layernorm2", l.kv);
          linear(b, "query", l.q, qk, true, TensorRole::query);
          linear(b, "key", l.kv, qk, true, TensorRole::key);
          linear(b, "value", l.kv, v, true, TensorRole::value);
        });
        linear(b, "output.dense", v, out, true, TensorRole::output);
      });
    });
    layer_norm(b, "layernorm", l.q);
    b.scope(Part::feed_forward, "mlp", [&] {
      linear(b, "dense1", l.q, l.widening * l.q, true, TensorRole::up);
      linear(b, "dense2", l.widening * l.q, l.q, true, TensorRole::down);
    });
  });
}

/// Records the latents and the layers that process them. `input`: the width of the input after preprocessing.
void encoder(Config c, Builder& b, Expr d, Expr input) {
  const Expr latents = c.integer("num_latents", 256), n_layers = c.integer("num_self_attends_per_block", 26);
  const Expr heads = c.integer("num_self_attention_heads", 8), cross_heads = c.integer("num_cross_attention_heads", 8);
  const Expr widening = c.integer("self_attention_widening_factor", 1), cross_widening = c.integer("cross_attention_widening_factor", 1);
  const Expr qk = c.optional_integer("qk_channels").value_or(Expr{}), v = c.optional_integer("v_channels").value_or(Expr{});
  static constexpr std::string_view shapes[] = {"kv", "q"};
  const bool shape_of_queries = c.text("cross_attention_shape_for_attention", "kv", shapes) == "q";
  require_multiple(d, heads);
  require_multiple(d, cross_heads);
  b.part(Part::embedding, [&] { b.parameter("embeddings.latents", {latents, d}, StorageKind::table); });
  record(b, "encoder.cross_attention", {d, input, cross_heads, qk, v, cross_widening, true, shape_of_queries});
  b.repeat("encoder.self_attends", all(n_layers), [&] { record(b, "", {d, d, heads, qk, v, widening}); });
}

/// Records `positions` learned queries of width `width`, and the layer in which they attend to the latents.
void decoder(Builder& b, Text name, Expr positions, Expr width, PerceiverLayer layer) {
  layer.q = width;
  layer.widening = b.pool().literal(1);
  layer.is_cross_attention = true;
  b.scope(Part::output_head, name, [&] {
    b.parameter("output_position_encodings.position_embeddings", {positions, width}, StorageKind::table);
    record(b, "decoding_cross_attention", layer);
  });
}

/// Records byte and position embeddings. Returns their width.
Expr text_input(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 262), positions = c.integer("max_position_embeddings", 2048),
             width = c.integer("d_model", 768);
  b.scope("input_preprocessor", [&] {
    embedding(b, "embeddings", vocab, width, TensorRole::token_embedding);
    embedding(b, "position_embeddings", positions, width, TensorRole::position_embedding);
  });
  return width;
}

/// Records the image input: pixels, or the output of a convolution, concatenated with positions. The positions are learned, or they consist
/// of the two coordinates and of 64 sines and 64 cosines for each. Returns the total width.
Expr image_input(Config c, Builder& b) {
  constexpr Count waves = 2 * 2 * 64 + 2, pixel = 3, convolved = 64;
  const Text name = b.architecture().name;
  if (name == "PerceiverForImageClassificationFourier") return c.literal(pixel + waves);
  if (name == "PerceiverForImageClassificationConvProcessing") {
    b.scope(Part::convolution, "input_preprocessor.convnet", [&] {
      conv2d(b, "conv", c.literal(pixel), c.literal(convolved), 7, false);
      batch_norm(b, "batchnorm", c.literal(convolved));
    });
    return c.literal(convolved + waves);
  }
  const Expr side = c.integer("image_size", 56), width = c.literal(256);
  b.scope(Part::embedding, "input_preprocessor", [&] {
    conv2d(b, "convnet_1x1", c.literal(3), width, 1);
    b.parameter("position_embeddings.position_embeddings", {power(side, 2), width}, StorageKind::table);
    linear(b, "positions_projection", width, width, true);
  });
  return 2 * width;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Head head = b.architecture().head;
  const Expr d = c.integer("d_latents", 1280), one = c.literal(1);
  Expr input;
  if (head == Head::none)
    input = c.integer("d_model", 768);
  else
    input = head == Head::image_classification ? image_input(c, b) : text_input(c, b);
  encoder(c, b, d, input);
  if (head == Head::masked_lm) {
    const Expr heads = c.literal(8), queries = c.literal(256);
    decoder(b, "decoder", c.integer("max_position_embeddings", 2048), input, {.kv = d, .heads = heads, .qk = queries, .v = input});
  } else if (head != Head::none) {
    decoder(b, "decoder.decoder", one, d, {.kv = d, .heads = one});
    b.part(Part::output_head, [&] { linear(b, "decoder.decoder.final_layer", d, num_labels(c), true); });
  }
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& /*m*/) {
  if (b.architecture().head == Head::masked_lm)
    b.part(Part::output_head, [&] { b.parameter("embedding_decoder.bias", {c.integer("vocab_size", 262)}); });
}

constexpr Architecture classes[] = {
    {"PerceiverModel", Head::none, ""},
    {"PerceiverForMaskedLM", Head::masked_lm, "perceiver"},
    {"PerceiverForSequenceClassification", Head::sequence_classification, "perceiver"},
    {"PerceiverForImageClassificationLearned", Head::image_classification, "perceiver"},
    {"PerceiverForImageClassificationFourier", Head::image_classification, "perceiver"},
    {"PerceiverForImageClassificationConvProcessing", Head::image_classification, "perceiver"},
};

}  // namespace

extern const Family perceiver{
    .model_type = "perceiver",
    .summary = "Perceiver IO: latents that attend to any input, and a decoder with output queries.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
