// BLOOM: a fused query, key and value projection, an ungated feed-forward block, biases in all layers, and a norm after the embedding. Its
// positions (ALiBi) have no parameters.
// Source: transformers, models/bloom.

#include "core/nn/text/attention.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_hidden_layers", "n_layer"}, {"num_attention_heads", "n_head"}, {"n_embed", "hidden_size"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 64), n_layers = c.integer("n_layer", 2), n = c.integer("n_head", 8, 1);
  const Expr vocab = c.integer("vocab_size", 250880);
  const Tensor table = embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
  norm(b, Norm::layer, "word_embeddings_layernorm", d, TensorRole::embedding_norm);
  b.repeat("h", all(n_layers), [&] {
    layer_norm(b, "input_layernorm", d);
    attention(b, "self_attention",
              {.hidden = d, .heads = n, .qkv_bias = true, .output_bias = true, .fused = "query_key_value", .o = "dense"});
    layer_norm(b, "post_attention_layernorm", d);
    mlp(b, "mlp", d, 4 * d, true, "dense_h_to_4h", "dense_4h_to_h");
  });
  layer_norm(b, "ln_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .token_classifier = "classifier"};
}

}  // namespace

extern const Family bloom{
    .model_type = "bloom",
    .summary = "Multi-head attention with ALiBi, fused QKV projection, ungated MLP, biases, tied embeddings.",
    .classes = {"Bloom", heads::all, "transformer"},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
