// I-BERT: integer-only RoBERTa. Buffers hold the integers and scales of quantized weights and the ranges of activations.
// Source: transformers, models/ibert.

#include "core/builder/inference.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 30522, 12},
                        .predictions = {.module = "lm_head", .dense = "dense", .norm = "layer_norm"},
                        .dense_classifier = true};

void activation(Builder& b, Text name) {
  b.scope(name, [&] {
    for (const Text tensor : {"x_min", "x_max", "act_scaling_factor"}) b.buffer(tensor, {b.pool().literal(1)});
  });
}

void integer_linear(Builder& b, Text name, Expr in, Expr out, TensorRole role) {
  linear(b, name, in, out, true, role);
  b.scope(name, [&] {
    b.buffer("weight_integer", {out, in});
    b.buffer("fc_scaling_factor", {out});
    b.buffer("bias_integer", {out});
  });
}

Tensor integer_embedding(Builder& b, Text name, Expr rows, Expr width, TensorRole role) {
  const Tensor out = embedding(b, name, rows, width, role);
  b.scope(name, [&] {
    b.buffer("weight_scaling_factor", {b.pool().literal(1)});
    b.buffer("weight_integer", {rows, width});
  });
  return out;
}

void integer_norm(Builder& b, Text name, Expr width) {
  layer_norm(b, name, width);
  b.scope(Part::norm, name, [&] {
    b.buffer("shift", {b.pool().literal(1)});
    activation(b, "activation");
  });
}

/// Records the output layer of a block: `dense`, the norm, and the ranges of the activations before and after the norm.
void output(Builder& b, Expr in, Expr d, TensorRole role) {
  b.scope("output", [&] {
    integer_linear(b, "dense", in, d, role);
    activation(b, "ln_input_act");
    integer_norm(b, "LayerNorm", d);
    activation(b, "output_activation");
  });
}

void layer(Builder& b, Expr d, Expr f, Expr n) {
  require_multiple(d, n);
  b.scope(Part::attention, "attention", [&] {
    b.scope("self", [&] {
      integer_linear(b, "query", d, d, TensorRole::query);
      integer_linear(b, "key", d, d, TensorRole::key);
      integer_linear(b, "value", d, d, TensorRole::value);
      for (const Text name : {"query_activation", "key_activation", "value_activation", "output_activation", "softmax.act"})
        activation(b, name);
      record_attention(b, {n, n, floor_divide(d, n)});
    });
    output(b, d, d, TensorRole::output);
  });
  b.part(Part::feed_forward, [&] {
    b.scope("intermediate", [&] {
      integer_linear(b, "dense", d, f, TensorRole::up);
      activation(b, "output_activation");
    });
    output(b, f, d, TensorRole::down);
    for (const Text name : {"pre_intermediate_act", "pre_output_act"}) activation(b, name);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, type.sizes);
  const Expr positions = c.integer("max_position_embeddings", 512), types = c.integer("type_vocab_size", 2);
  if (s.n_layers.decide() > 0 && c.text("hidden_act", "gelu") != "gelu")
    c.refuse(ErrorCode::unsupported, "hidden_act", "must be \"gelu\".");
  Tensor words;
  b.scope(Part::embedding, "embeddings", [&] {
    words = integer_embedding(b, "word_embeddings", s.vocab, s.d, TensorRole::token_embedding);
    integer_embedding(b, "token_type_embeddings", types, s.d, TensorRole::segment_embedding);
    integer_embedding(b, "position_embeddings", positions, s.d, TensorRole::position_embedding);
    for (const Text name : {"embeddings_act1", "embeddings_act2", "output_activation"}) activation(b, name);
    integer_norm(b, "LayerNorm", s.d);
  });
  b.repeat("encoder.layer", all(s.n_layers), [&] { layer(b, s.d, s.f, s.n); });
  bert_pooler(b, s.d, type);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family ibert{
    .model_type = "ibert",
    .summary = "Integer-only RoBERTa, with quantization buffers.",
    .classes = {"IBert", heads::encoder & ~heads::causal_lm, "ibert"},
    .backbone = backbone,
    .head = bert_head_of_type<type>,
};

}  // namespace param_ledger
