// FNet: like BERT, but with Fourier transforms instead of attention. They have no parameters.
// Source: transformers, models/fnet.

#include "core/nn/text/encoder.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.pooler = Pooler::everywhere};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), f = c.integer("intermediate_size", 3072), n_layers = c.integer("num_hidden_layers", 12);
  const Expr vocab = c.integer("vocab_size", 32000), positions = c.integer("max_position_embeddings", 512);
  const Expr types = c.integer("type_vocab_size", 4);
  Tensor words;
  b.scope(Part::embedding, "embeddings", [&] {
    words = embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
    embedding(b, "position_embeddings", positions, d, TensorRole::position_embedding);
    embedding(b, "token_type_embeddings", types, d, TensorRole::segment_embedding);
    layer_norm(b, "LayerNorm", d);
    linear(b, "projection", d, d, true);
  });
  b.repeat("encoder.layer", all(n_layers), [&] {
    layer_norm(b, "fourier.output.LayerNorm", d);
    mlp(b, "", d, f, true, "intermediate.dense", "output.dense");
    layer_norm(b, "output.LayerNorm", d);
  });
  bert_pooler(b, d, type);
  constexpr std::uint64_t most_as_matrices = 4096;
  if (c.flag("use_tpu_fourier_optimizations", false) && positions.decide() <= most_as_matrices)
    b.note("use_tpu_fourier_optimizations",
           "If SciPy is installed, transformers stores the Fourier matrices of each layer as buffers. They are not counted here.");
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family fnet{
    .model_type = "fnet",
    .summary = "Like BERT, with Fourier transforms instead of attention.",
    .classes = {"FNet", (heads::encoder & ~heads::causal_lm) | heads::next_sentence | heads::pretraining, "fnet"},
    .backbone = backbone,
    .head = bert_head_of_type<type>,
};

}  // namespace param_ledger
