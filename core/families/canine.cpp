// CANINE: BERT's layers on characters. Hashes of a character look up the parts of its embedding. After the first layer, a strided
// convolution shortens the sequence. Before the last layer, the shortened sequence is repeated to its full length, and another convolution
// combines it with the characters. Source: transformers, models/canine.

#include "core/nn/text/encoder.hpp"
#include "core/nn/text/legacy_buffers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.pooler = Pooler::everywhere, .scaled_by_head_dim = false};

void convolve(Builder& b, Text name, Expr in, Expr d, Expr kernel) {
  b.scope(Part::convolution, name, [&] {
    conv1d(b, "conv", in, d, kernel);
    layer_norm(b, "LayerNorm", d);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  BertSizes s{};
  s.d = c.integer("hidden_size", 768);
  s.f = c.integer("intermediate_size", 3072);
  s.n_layers = c.integer("num_hidden_layers", 12);
  s.n = c.integer("num_attention_heads", 12, 1, Refused::no_heads);
  s.qkv_bias = true;
  const Expr positions = c.integer("max_position_embeddings", 16384);
  const Expr types = c.integer("type_vocab_size", 16), buckets = c.integer("num_hash_buckets", 16384);
  const Expr hashes = c.integer("num_hash_functions", 8), down = c.integer("downsampling_rate", 4);
  const Expr up = c.integer("upsampling_kernel_size", 4), shard = floor_divide(s.d, hashes);
  b.scope(Part::embedding, "char_embeddings", [&] {
    for (Count i = 0; i < hashes.decide(); ++i) embedding(b, concat({"HashBucketCodepointEmbedder_", digits(i)}), buckets, shard);
    embedding(b, "char_position_embeddings", buckets, s.d);
    embedding(b, "token_type_embeddings", types, s.d, TensorRole::segment_embedding);
    layer_norm(b, "LayerNorm", s.d);
    legacy_positions(b, positions);
  });
  b.repeat("initial_char_encoder.layer", only(0), [&] { bert_layer(b, s, type); });
  convolve(b, "chars_to_molecules", s.d, s.d, down);
  bert_layers(b, s, type);
  convolve(b, "projection", 2 * s.d, s.d, up);
  b.repeat("final_char_encoder.layer", only(0), [&] { bert_layer(b, s, type); });
  bert_pooler(b, s.d, type);
  return {.hidden = s.d};
}

}  // namespace

extern const Family canine{
    .model_type = "canine",
    .summary = "Tokenizer-free BERT on characters, with hash embeddings.",
    .classes = {"Canine", heads::base | heads::sequence | heads::token | heads::question | heads::choice, "canine"},
    .backbone = backbone,
    .head = bert_head_of_type<type>,
};

}  // namespace param_ledger
